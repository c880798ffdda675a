import { expect, test } from 'vitest';
import { deviceLines } from '../../src/slack/messages/words/comparison-words.ts';
import { aResult } from '../support/a-diagnostic.ts';

/** The first thing that a comparison says of two devices, each as `serial host`. */
function said(before: string, after: string): string | undefined {
  const read = (device: string) => {
    const [chassisSerial = '', hostname = ''] = device.split(' ');
    const result = aResult([]);
    return { result: { ...result, device: { ...result.device, chassisSerial, hostname } }, readAt: 0 };
  };
  return deviceLines({ ...read(after), before: read(before) })[0];
}

test.each([
  ['chs1 a.example.com', 'chs1 b.example.com', /^Same device/],
  ['CHS1 a.example.com', 'chs1 a.example.com', /^Same device/],
  ['chs1 a.example.com', 'chs2 a.example.com', /^Two devices/],
  ['None a.example.com', 'None b.example.com', /^Two devices/],
  ['None a.example.com', 'None a.example.com', /^Same device/],
])('%s and %s are told apart by a serial number that is one, or else by name', (before, after, expected) => {
  expect(said(before, after)).toMatch(expected);
});
