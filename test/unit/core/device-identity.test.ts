import { expect, test } from 'vitest';
import { serialOf } from '../../../src/core/device-identity.ts';

test.each(['chs600777s', 'F5-ABCD-1234', '564d2d0a-9c1e', '0123456789AB', '00001', 'bzok1'])(
  '%s is a device',
  (chassisSerial) => expect(serialOf({ chassisSerial })).toBe(chassisSerial.toLowerCase()),
);

test('One device is one, however its serial number is written', () => {
  expect(serialOf({ chassisSerial: ' CHS600777S\n' })).toBe(serialOf({ chassisSerial: 'chs600777s' }));
});

test.each([
  '',
  '   ',
  '-',
  '...',
  'None',
  'N/A',
  'Not Specified',
  'To Be Filled By O.E.M.',
  'Default string',
  'System Serial Number',
  '0',
  '00000000',
  '0000-0000-0000',
  'XXXXXXXX',
  '123456789',
  '0123456789',
  'unknown',
])('“%s” is no device', (chassisSerial) => expect(serialOf({ chassisSerial })).toBeUndefined());
