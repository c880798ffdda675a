import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, about in that order: none of them shall run alone at the end. One that computes stands
 * beside one that waits. All others follow by their names, so that the order is the same on every machine.
 */
const SLOW = [
  'demo/page-keyboard',
  'durability/chaos',
  'demo/main',
  'durability/replicas',
  'demo/page',
  'bot/access',
  'durability/deploy',
  'durability/forget',
  'demo/trouble',
  'durability/redis-faults',
  'durability/doctor',
  'unit/linear-time',
  'bot/session',
  'durability/start-errors',
  'durability/slack-storm',
  'demo/glance',
  'durability/key-rotation',
  'unit/any-document.property',
  'demo/slack-features',
  'bot/tracing',
  'durability/slack-faults',
  'durability/embedded-kill',
  'demo/bot-process',
  'structure/golden-complete',
  'durability/transport-faults',
  'durability/shared-queue',
  'bot/odd-deliveries',
  'bot/commands',
  'durability/storage-away',
  'bot/remind',
  'durability/upgrade',
  'durability/refused-answers',
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
