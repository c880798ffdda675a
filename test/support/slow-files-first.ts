import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, about in that order: none of them shall run alone at the end. One that computes stands
 * beside one that waits, so that the processors have something to do. All others follow by their names, so that the
 * order is the same on every machine.
 */
const SLOW = [
  'durability/chaos',
  'demo/main',
  'demo/page',
  'durability/deploy',
  'unit/any-document.property',
  'durability/shipped-limits',
  'durability/replicas',
  'durability/follow-replicas',
  'durability/forget',
  'durability/slack-storm',
  'durability/redis-faults',
  'unit/linear-time',
  'durability/transport-faults',
  'bot/access',
  'durability/slack-faults',
  'durability/doctor',
  'durability/start-errors',
  'bot/tracing',
  'durability/key-rotation',
  'bot/waiting',
  'durability/shared-queue',
  'durability/embedded-kill',
  'unit/fuzz',
  'bot/socket-mode',
  'durability/refused-answers',
  'unit/any-export.property',
  'durability/redis-takeover',
  'structure/golden-complete',
  'bot/login',
  'bot/commands',
  'bot/follow',
  'durability/restart',
  'durability/queues',
  'bot/quiet-log',
].map((name) => `/test/${name}.test.ts`);

/** Starts the files of the tests in an order that leaves no long one for the end. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const position = SLOW.findIndex((end) => moduleId.endsWith(end));
      return position === -1 ? SLOW.length : position;
    };
    return files.toSorted(
      (one, other) => placeOf(one) - placeOf(other) || one.moduleId.localeCompare(other.moduleId),
    );
  }
}
