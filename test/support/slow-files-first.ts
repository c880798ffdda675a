import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest, about in that order: none of them shall run alone at the end. One that computes stands
 * beside one that waits. All others follow by their names, so that the order is the same on every machine.
 */
const SLOW = [
  'durability/chaos',
  'bot/tracing',
  'demo/page-keyboard',
  'durability/redis-faults',
  'demo/main',
  'durability/replicas',
  'durability/slack-faults',
  'demo/page',
  'bot/odd-deliveries',
  'durability/slack-storm',
  'durability/deploy',
  'durability/transport-faults',
  'durability/forget',
  'durability/start-errors',
  'durability/shared-queue',
  'durability/embedded-kill',
  'durability/key-rotation',
  'demo/bot-process',
  'demo/trouble',
  'durability/upgrade',
  'demo/slack-features',
  'bot/session',
  'durability/doctor',
  'demo/glance',
].map((name) => `/test/${name}.test.ts`);

/** Starts the files of the tests in an order that leaves no long one for the end. */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = SLOW.findIndex((end) => moduleId.endsWith(end));
      return place === -1 ? SLOW.length : place;
    };
    return files.toSorted(
      (one, other) => placeOf(one) - placeOf(other) || one.moduleId.localeCompare(other.moduleId),
    );
  }
}
