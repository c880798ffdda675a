import { expect, test } from 'vitest';
import { relationOf, serialOf } from '../../src/core/diagnostics.ts';

test.each(['chs600777s', 'F5-ABCD-1234', '564d2d0a-9c1e', '0123456789AB', '00001', 'bzok1', '012'])(
  'The serial number %s identifies a device',
  (chassisSerial) => expect(serialOf({ chassisSerial })).toBe(chassisSerial.toLowerCase()),
);

test('The spelling of a serial number does not matter', () => {
  expect(serialOf({ chassisSerial: ' CHS600777S\n' })).toBe(serialOf({ chassisSerial: 'chs600777s' }));
});

test.each([
  ...['', '   ', '-', '...', '0', '00000000', '0000-0000-0000', 'XXXXXXXX', '1234', '0123456789'],
  '123456789',
  // Placeholders that vendors and hypervisors write in place of a serial number.
  ...['None', 'N/A', 'NA', 'nil', 'null', 'undefined', 'unknown', 'empty', 'invalid', 'TBD', 'Test'],
  ...['Not Specified', 'Not Applicable', 'Not Available', 'No Serial', 'Default', 'Default string'],
  ...['REDACTED', 'masked', 'Serial', 'Serial Number', 'System Serial Number', 'Chassis Serial'],
  ...['To Be Filled By O.E.M.', 'To be filled by OEM'],
])('The serial number “%s” identifies no device', (chassisSerial) =>
  expect(serialOf({ chassisSerial })).toBeUndefined(),
);

/** A device from a text of the form `serial host`. */
function deviceOf(text: string) {
  const [chassisSerial = '', hostname = ''] = text.split(' ');
  return { chassisSerial, hostname, platform: 'C117' };
}

test.each([
  ['chs1 a.example.com', 'chs1 b.example.com', 'other'],
  ['chs1 a.example.com', 'chs1 localhost.localdomain', 'same'],
  ['chs1 A', 'chs1 a.example.com', 'same'],
  ['CHS1 a.example.com', 'chs1 a.example.com', 'same'],
  ['chs1 a.example.com', 'chs2 a.example.com', 'other'],
  ['None a.example.com', 'None b.example.com', 'other'],
  ['None a.example.com', 'None a.example.com', 'same'],
  ['chs1 a.example.com', 'None a.example.com', 'same'],
  ['None localhost.localdomain', 'None localhost.localdomain', 'unknown'],
  ['None LOCALHOST', 'None LOCALHOST', 'unknown'],
  ['chs1 localhost', 'None localhost', 'unknown'],
  ['None a.example.com', 'None localhost', 'unknown'],
  ['None localhost4.localdomain4', 'None localhost4.localdomain4', 'unknown'],
  ['None localhost.', 'None localhost.', 'unknown'],
  ['None localhost-7', 'None localhost-7', 'same'],
  ['None my-localhost', 'None my-localhost', 'same'],
  ['None edge-7', 'None edge-70', 'other'],
  ['', '', 'unknown'],
])('Two devices are compared by serial number and name: “%s”, “%s”: %s', (one, other, expected) => {
  const [a, b] = [deviceOf(one), deviceOf(other)];
  expect([relationOf(a, b), relationOf(b, a)]).toEqual([expected, expected]);
});
