import { expect, test } from 'vitest';
import { serialOf } from '../../../src/core/diagnostics.ts';

test.each(['chs600777s', 'F5-ABCD-1234', '564d2d0a-9c1e', '0123456789AB', '00001', 'bzok1', '012'])(
  '%s is a device',
  (chassisSerial) => expect(serialOf({ chassisSerial })).toBe(chassisSerial.toLowerCase()),
);

test('The spelling of a serial number makes no other device', () => {
  expect(serialOf({ chassisSerial: ' CHS600777S\n' })).toBe(serialOf({ chassisSerial: 'chs600777s' }));
});

test.each([
  ...['', '   ', '-', '...', '0', '00000000', '0000-0000-0000', 'XXXXXXXX', '1234', '0123456789'],
  '123456789',
  // What makers and hypervisors are known to write.
  ...['None', 'N/A', 'NA', 'nil', 'null', 'undefined', 'unknown', 'empty', 'invalid', 'TBD', 'Test'],
  ...['Not Specified', 'Not Applicable', 'Not Available', 'No Serial', 'Default', 'Default string'],
  ...['Serial', 'Serial Number', 'System Serial Number', 'Chassis Serial'],
  ...['To Be Filled By O.E.M.', 'To be filled by OEM'],
])('“%s” is no device', (chassisSerial) => expect(serialOf({ chassisSerial })).toBeUndefined());
