import { expect, test } from 'vitest';
import { deviceLines } from '../../src/slack/answer/comparison-words.ts';
import { aResult } from '../support/a-diagnostic.ts';

test('Different platforms are different devices, whatever is not known of them', () => {
  const read = (platform: string) => {
    const result = aResult([]);
    const device = { chassisSerial: '', hostname: 'localhost', platform };
    return { result: { ...result, device }, readAt: 0 };
  };
  const compared = (one: string, other: string) => deviceLines({ ...read(other), before: read(one) });
  expect(compared('C117', 'D110')[0]).toMatch(/^Two devices/);
  const unknown = compared('C117', 'C117');
  expect(unknown[0]).toBe('Not known whether both are of one device');
  expect(unknown.slice(1)).toEqual([
    expect.stringMatching(/^Before: C117/),
    expect.stringMatching(/^After: C117/),
  ]);
  expect(compared('', 'D110')[0]).toMatch(/^Not known whether/);
});

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
  ['chs1 a.example.com', 'chs1 b.example.com', /^Same chassis, other host$/],
  ['chs1 a.example.com', 'chs1 localhost.localdomain', /^Same device/],
  ['chs1 A', 'chs1 a.example.com', /^Same device/],
  ['CHS1 a.example.com', 'chs1 a.example.com', /^Same device/],
  ['chs1 a.example.com', 'chs2 a.example.com', /^Two devices/],
  ['None a.example.com', 'None b.example.com', /^Two devices/],
  ['None a.example.com', 'None a.example.com', /^Same device/],
  ['chs1 a.example.com', 'None a.example.com', /^Same device/],
  ['None localhost.localdomain', 'None localhost.localdomain', /^Not known whether/],
  ['chs1 localhost', 'None localhost', /^Not known whether/],
  ['None a.example.com', 'None localhost', /^Not known whether/],
  ['', '', /^Not known whether/],
])('%s and %s are told apart by a serial number that is one, or else by name', (before, after, expected) => {
  expect(said(before, after)).toMatch(expected);
});
