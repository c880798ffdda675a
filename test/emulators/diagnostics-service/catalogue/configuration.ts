import { facts, type Problem } from './problem.ts';

/** Advice about the configuration of the device. */
export const CONFIGURATION: readonly Problem[] = [
  {
    ...facts('object', 'HIGH', 1),
    header: '{A name} refers to a certificate that has expired or will within 30 days',
    summary:
      'At least one {name} uses a certificate whose end of validity has passed or is near. Clients refuse the connection or show a warning from that day on. Certificates that are on the system but not in use are not reported.',
    action:
      'Renew the certificates listed in the evidence and replace them before the date that is shown there.',
    evidence: [
      'Certificates near or past their end:',
      [
        'Certificate   Ends        Object',
        '------------  ----------  ------',
        'portal-1.crt  2026-03-04  {tag}_1',
        'portal-2.crt  2026-03-19  {tag}_2',
        'portal-3.crt  2026-03-27  {tag}_3',
      ].join('\n'),
    ],
  },
  {
    ...facts('object', 'MEDIUM', 1),
    header: '{A name} still allows settings that current guidance advises against',
    summary:
      'The {name} keeps settings from an earlier version for compatibility: they were taken over by an upgrade and are not the defaults any more. Check whether old clients still need them, and return to the defaults if not.',
    evidence: ['3 objects are affected:', '{tag}', '{tag}_2', '{tag}_3'],
  },
  {
    ...facts('object', 'LOW', 0),
    header: '{A name} is defined but nothing in the configuration refers to it',
    summary:
      'Unused objects make a configuration harder to read and slower to load. The {name} {tag} and possibly others can be removed after a check with their owners.',
    evidence: ['6 objects are affected:', '{tag}', '{tag}_2', '{tag}_3', '{tag}_4', '{tag}_5', '{tag}_6'],
  },
  {
    ...facts('object', 'MEDIUM', 1),
    header: 'Different members of the device group hold different versions of {a name}',
    summary:
      'The {name} was changed on one device and the change was not synchronized. After a failover, traffic is handled by the older version. Decide which device is right before you synchronize: the direction can&rsquo;t be undone.',
    evidence: ['edge-7  {tag}  changed 2026-02-16 04:12\nedge-8  {tag}  changed 2026-02-11 09:12'],
  },
  {
    ...facts('object', 'HIGH', 1),
    header: 'All members behind {a name} were down or disabled when the snapshot was taken',
    summary:
      'No member could take traffic that reached the {name}. Connections are reset or wait until a member comes back. If this is intended, for example during maintenance, disable the object as a whole so that clients get a clear answer.',
    evidence: [
      'State of the members:',
      [
        'Member         State           Connections  Latency',
        '-------------  --------------  -----------  -------',
        'app-01:443     down            0            381 ms',
        'app-02:443     forced offline  12           14 ms',
        'db-read-1:443  down            0            203 ms',
      ].join('\n'),
    ],
  },
  {
    ...facts('object', 'MEDIUM', 2),
    header: '{A name} has more entries than this platform is sized for',
    summary:
      'The number of entries is above what was tested on this hardware. Loading the configuration takes longer, and a failover during a load can leave the {name} incomplete for some seconds. Split the object, or move large lists to an external source.',
    evidence: ['{tag}\t41877 entries  (tested: 10000)'],
  },
  {
    ...facts('object', 'LOW', 0),
    header: 'The description of {a name} contains characters that cannot be exported',
    summary:
      'Descriptions with characters outside of the basic set are lost when the configuration is exported to a text file. The behavior of the {name} is not affected. See the ```export``` command for ``alternatives``.',
  },
];

/** Findings about the whole device. */
export const SYSTEM: readonly Problem[] = [
  {
    ...facts('system', 'MEDIUM', 1),
    header: 'The time of the appliance is not synchronized with any server',
    summary:
      'No time server is reachable, or none is configured. Log entries of different devices cannot be compared, certificates may seem invalid, and a device group may refuse to synchronize when clocks differ by more than three seconds.',
    action: 'Configure at least three time servers and check that the management network can reach them.',
  },
  {
    ...facts('system', 'LOW', 0),
    header: 'The management address answers from networks that have no reason to reach it',
    summary:
      'Connections from outside of the configured administration networks were accepted. Consider a list of allowed addresses for the management port.',
  },
  {
    ...facts('system', 'HIGH', 1),
    header: 'The file system for logs is almost full; snapshots and upgrades may fail',
    summary:
      'Less than five percent of the log file system is free. When it is full, log entries are lost, snapshots are incomplete and an upgrade cannot be prepared. Old core files and upload leftovers are the usual reason.',
    action: 'Remove old core files and uploads, then check which log grows fastest over the next day.',
    evidence: [
      'File systems:',
      [
        'Mounted on  Size  Used  Free',
        '----------  ----  ----  ----',
        '/           427M  61%   168M',
        '/var        3.0G  44%   1.7G',
        '/var/log    7.3G  97%   211M',
      ].join('\n'),
    ],
  },
  {
    ...facts('system', 'MEDIUM', 1),
    header: 'This version leaves its period of full support within the next six months',
    summary:
      'After the date given in the linked article no fixes are made for this version, apart from critical ones. Plan the upgrade, and take a snapshot before it so that both can be compared.',
  },
];
