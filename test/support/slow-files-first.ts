import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest test files, slowest first, so that none of them runs alone at the end. The others follow by name, so that
 * the order is the same on every machine.
 */
const SLOW = [
  'durability/chaos',
  'durability/follow-replicas',
  'durability/replicas',
  'durability/refused-answers',
  'demo/main',
  'demo/page',
  'durability/deploy',
  'bot/follow-year',
  'durability/redis-faults',
  'durability/key-rotation',
  'durability/shipped-limits',
  'durability/slack-storm',
  'durability/embedded-kill',
  'bot/floods',
  'bot/slow-slack',
  'operators/doctor',
  'bot/unfurl',
  'durability/start-errors',
  'bot/several',
  'durability/shared-queue',
  'durability/redis-users',
  'durability/redis-commands',
  'durability/redis-clock',
  'bot/limits',
  'contracts/queue',
  'durability/cut-off-deliveries',
  'durability/transport-faults',
  'durability/forget',
  'operators/audit-and-log',
  'durability/redis-takeover',
  'durability/storage-away',
  'bot/follow',
  'durability/slack-faults',
  'fuzz/fuzz',
  'contracts/linear-time',
  'bot/read',
  'operators/deployment',
  'durability/clock',
  'contracts/document',
  'structure/one-answer',
  'bot/operation',
  'bot/erasure',
  'bot/waiting',
  'bot/access',
  'bot/accept',
].map((name) => `/test/${name}.test.ts`);

/** Runs the slowest test files first. */
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
