import { facts, type Problem } from './problem.ts';

/** Reports of the device's sensors and drives. */
export const HARDWARE: readonly Problem[] = [
  {
    ...facts('part', 'HIGH', 1),
    header: 'The {name} reports values outside of its normal range ({tag})',
    summary:
      'A sensor of the {name} was outside of its range more than once during the last day. A single event after power-on is normal. Repeated events mean that the part should be replaced before it fails.',
    action:
      'Compare the values with those of the last snapshot and ask for a replacement if they have become worse.',
    evidence: [
      'Sensor readings of {tag} (range 2800-8400):',
      '01:00  9120\n02:00  8977\n03:00  11402\n04:00  8805',
    ],
  },
  {
    ...facts('part', 'MEDIUM', 1),
    header: 'The firmware of the {name} is older than the one this version was tested with',
    summary:
      'An update of the firmware for the {name} is part of the installed software but has not been applied. It is applied at the next full power cycle, not at a restart.',
  },
  {
    ...facts('part', 'CRITICAL', 1),
    header: 'The {name} has failed or is about to fail and has to be replaced',
    summary:
      'The {name} ({tag}) reports errors that cannot be corrected. The appliance goes on without it where a second one is present; there is no reserve from now on. Replace the part, or the appliance where the part is not replaceable in the field.',
    action: 'Open a support case for a replacement and move the traffic to the other device of the group.',
    log: ['crit aomd[901]: {tag}: uncorrectable error count {n}8', 6],
  },
  {
    ...facts('part', 'LOW', 0),
    header: 'The {name} was exchanged since the appliance was last inventoried',
    summary:
      'The serial number of the {name} differs from the one that was recorded when the appliance was delivered. This is expected after a repair.',
    evidence: ['{tag}: recorded PN4471-2210, found PN4471-8306'],
  },
  {
    ...facts('part', 'MEDIUM', 2),
    header: '{Name} does not report its state to the always-on controller',
    summary:
      'The controller has had no answer from the {name} for some minutes. The part may work normally, but a fault would go unnoticed. Seating the part anew usually helps; a restart of the controller doesn&#8217;t interrupt traffic.',
  },
];
