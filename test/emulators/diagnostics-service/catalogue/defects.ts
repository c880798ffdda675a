import { logBlocks, logExtract, processTable } from './evidence.ts';
import { facts, type Problem } from './problem.ts';

/** Faults of the software itself. */
export const DEFECTS: readonly Problem[] = [
  {
    ...facts('service', 'HIGH', 1, { fixed: true }),
    header: 'The {name} leaves a core file behind and restarts ({tag})',
    summary:
      'A core file of {tag} was found in the snapshot. The process ended unexpectedly and was started again by the supervisor. If this happens repeatedly, collect the core files before they are rotated away and open a case.',
    action:
      'Open a support case and attach the core files that the evidence lists, before they are rotated away.',
    evidence: ({ tag }, random) => [
      `Core files of ${tag}:`,
      ...logBlocks(
        random,
        3 + random.upTo(22),
        (index) => `${tag}.bld0.0.${31 + index}.core.gz  ${random.upTo(900)} MB`,
      ),
    ],
  },
  {
    ...facts('service', 'MEDIUM', 1, { fixed: true }),
    header: 'Memory use of the {name} grows slowly and is never given back',
    summary:
      'The {tag} process holds more memory than is usual for this platform and uptime. A leak is known that grows by about 40 MB a week under frequent polling. The process can be restarted without an effect on traffic.',
    evidence: (component, random) => [
      'Memory of the process compared with its neighbours:',
      processTable(component, random),
    ],
  },
  {
    ...facts('service', 'MEDIUM', 2),
    header: 'Error Message: {tag}: Clock advanced by <number> ticks',
    summary:
      'The message means that {tag} did not get processor time for longer than its limit. A few of them during a configuration load are harmless; many of them, or some at quiet times, point to a lack of resources, a slow disk or a busy neighbour on the same hypervisor.',
    evidence: ({ tag }, random) =>
      logBlocks(
        random,
        4 + random.upTo(21),
        () => `notice ${tag}[22871]: 01010029:5: Clock advanced by ${600 + random.upTo(9_000)} ticks`,
      ),
  },
  {
    ...facts('service', 'LOW', 1),
    header: 'The {name} writes the same harmless message again and again',
    summary:
      'A message of {tag} at the level &lsquo;notice&rsquo; fills a large part of the log. It doesn&amp;#39;t point to a fault and can be filtered. The logs rotate earlier than intended, so that older entries may be missing when they are needed.',
    evidence: ({ tag }, random) => [
      logExtract(
        random,
        12,
        (index) => `notice ${tag}[5120]: refresh_progress_meter(): step ${index}\tof 12  |  nothing to do`,
      ),
    ],
  },
  {
    ...facts('service', 'HIGH', 1),
    header: 'The {name} may stop answering after it has been up for 248 days',
    summary:
      'A counter of milliseconds overflows after 248 days without a restart. From then on the {name} takes new requests but never answers them. Restarting the process, or the appliance, before that day avoids the problem. The uptime in this snapshot is beyond 200 days.',
    action: 'Restart the process in the next maintenance window; this sets the counter back to zero.',
    evidence: ({ tag }, random) => [
      `${tag} has been up for ${201 + random.upTo(40)} days, ${random.upTo(24)} hours.`,
    ],
  },
  {
    ...facts('service', 'MEDIUM', 0, { fixed: true }),
    header: '{Name} logs an error at start although it works as intended',
    summary:
      'During start {tag} reads its state before the file system is ready and logs an error at the level `err`. It tries again a second later and succeeds. Monitoring that counts errors raises an alarm for nothing.',
    evidence: ({ tag }, random) =>
      logBlocks(random, 1, () => `err ${tag}[1893]: cannot read state: No such file or directory`),
  },
  {
    ...facts('service', 'LOW', 1),
    header: 'Statistics of the {name} are shown as zero after an upgrade',
    summary:
      'After an upgrade from version 16 the statistics of the {name} stay at zero until the first change to its configuration. Graphs have a gap for that time. The service itself isn&amp;amp;#8217;t affected.',
  },
];
