import { facts, type Problem } from './problem.ts';

/** Defects of the software. */
export const DEFECTS: readonly Problem[] = [
  {
    ...facts('service', 'HIGH', 1, { fixed: true }),
    header: 'The {name} leaves a core file behind and restarts ({tag})',
    summary:
      'A core file of {tag} was found in the snapshot. The process ended unexpectedly and was started again by the supervisor. If this happens repeatedly, collect the core files before they are rotated away and open a case.',
    action:
      'Open a support case and attach the core files that the evidence lists, before they are rotated away.',
    evidence: ['Core files of {tag}:', '{tag}.bld0.0.31.core.gz  812 MB', '{tag}.bld0.0.32.core.gz  798 MB'],
    log: ['crit supervisor[611]: {tag} ended with signal 11, restart {n}', 12],
  },
  {
    ...facts('service', 'MEDIUM', 1, { fixed: true }),
    header: 'Memory use of the {name} grows slowly and is never given back',
    summary:
      'The {tag} process holds more memory than is usual for this platform and uptime. A leak is known that grows by about 40 MB a week under frequent polling. The process can be restarted without an effect on traffic.',
    evidence: [
      'Memory of the process compared with its neighbours:',
      [
        'PID    Resident  CPU    Up        Process',
        '-----  --------  -----  --------  -------',
        '17204  2310 MB   31.4%  211d 7h   {tag}',
        '4410   1904 MB   58.2%  211d 7h   flowd',
        '4388   402 MB    2.9%   96d 12h   confd',
      ].join('\n'),
    ],
  },
  {
    ...facts('service', 'MEDIUM', 2),
    header: 'Error Message: {tag}: Clock advanced by <number> ticks',
    summary:
      'The message means that {tag} did not get processor time for longer than its limit. A few of them during a configuration load are harmless; many of them, or some at quiet times, point to a lack of resources, a slow disk or a busy neighbour on the same hypervisor.',
    log: ['notice {tag}[22871]: 01010029:5: Clock advanced by {n}412 ticks', 18],
  },
  {
    ...facts('service', 'LOW', 1),
    header: 'The {name} writes the same harmless message again and again',
    summary:
      'A message of {tag} at the level &lsquo;notice&rsquo; fills a large part of the log. It doesn&amp;#39;t point to a fault and can be filtered. The logs rotate earlier than intended, so that older entries may be missing when they are needed.',
    log: ['notice {tag}[5120]: refresh_progress_meter(): step {n}\tof 12  |  nothing to do', 12],
  },
  {
    ...facts('service', 'HIGH', 1),
    header: 'The {name} may stop answering after it has been up for 248 days',
    summary:
      'A counter of milliseconds overflows after 248 days without a restart. From then on the {name} takes new requests but never answers them. Restarting the process, or the appliance, before that day avoids the problem. The uptime in this snapshot is beyond 200 days.',
    action: 'Restart the process in the next maintenance window; this sets the counter back to zero.',
    evidence: ['{tag} has been up for 217 days, 4 hours.'],
  },
  {
    ...facts('service', 'MEDIUM', 0, { fixed: true }),
    header: '{Name} logs an error at start although it works as intended',
    summary:
      'During start {tag} reads its state before the file system is ready and logs an error at the level `err`. It tries again a second later and succeeds. Monitoring that counts errors raises an alarm for nothing.',
    log: ['err {tag}[1893]: cannot read state: No such file or directory', 1],
  },
  {
    ...facts('service', 'LOW', 1),
    header: 'Statistics of the {name} are shown as zero after an upgrade',
    summary:
      'After an upgrade from version 16 the statistics of the {name} stay at zero until the first change to its configuration. Graphs have a gap for that time. The service itself isn&amp;amp;#8217;t affected.',
  },
];
