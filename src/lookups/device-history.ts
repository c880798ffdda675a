import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Comparison, compareHits, type Named } from '../core/comparing.ts';
import { areOtherHosts, type DiagnosticsResult, hostOf, isEarlier, serialOf } from '../core/diagnostics.ts';
import { listsWholeSide, sideOf } from '../core/importance.ts';
import { type Asked, type Question, questionKey } from '../core/lookup.ts';
import type { Namespace } from '../core/store.ts';
import type { Answers, DeviceRead, LastRead, Read, Unit } from './lookup-status.ts';

/** A read as it is stored: `at` is when the same hits were read last, `firstAt` when first. */
export type KeptRead = DeviceRead & {
  readonly firstAt: number;
  /** Absent if the document did not list all of them, or if there are too many to keep. */
  readonly hits?: readonly Named[];
};

type DeviceHistoryOptions = {
  readonly namespace: Namespace<readonly KeptRead[]>;
  readonly historyMs: number;
  /** The workspace that the bot serves: results that were read in another workspace are never named. */
  readonly workspace: () => Promise<string>;
  /** Called with storage errors: an answer is sent even if the history cannot be read or written. */
  readonly onError: (error: unknown) => void;
};

/** A chassis can hold a dozen hosts. */
const MOST = 30;
/** The hits that are kept of one device; those of its two latest reads are kept in any case. */
const MOST_HITS = 5_000;
const NAME_LENGTH = 22;

/**
 * The latest results of each device, with the names and importances of their hits: enough to say later what has changed.
 * It does not hold who read them, or where.
 */
export class DeviceHistory {
  readonly #options: DeviceHistoryOptions;

  constructor(options: DeviceHistoryOptions) {
    this.#options = options;
  }

  /**
   * Records that this result was read. Gives the latest read of the same device that came before it and is of another
   * snapshot, with what has changed since, as far as it is known.
   */
  record(question: Question, read: Read): Promise<LastRead | undefined> {
    const { namespace, historyMs } = this.#options;
    return this.#orUndefined(async () => {
      const key = await this.#keyOf(question, read.result);
      const change = (list: readonly KeptRead[] = []) => withRead(list, question, read);
      const [before = []] = await namespace.change(key, change, () => historyMs);
      return lastIn(before, question, read);
    });
  }

  /** The same without recording it, for a request that cannot be answered without it. Throws what the store throws. */
  async find(question: Question, read: Read): Promise<LastRead | undefined> {
    return lastIn(await this.#of(question, read), question, read);
  }

  /**
   * What has changed in a result since one of the same device that was read at that time, or was the latest one then, as
   * far as it is known.
   */
  changesSince(
    { question, at }: DeviceRead,
    present: Question,
    read: Read,
    which: 'exact' | 'latest' = 'exact',
  ): Promise<Comparison<Named> | undefined> {
    return this.#orUndefined(async () => {
      const isMeant = (each: KeptRead) =>
        covers(each, question, which === 'exact' ? at : Math.min(at, each.at));
      const known = (await this.#of(present, read)).find(isMeant);
      return known && changes(known, present, read, false);
    });
  }

  /** A short name of the device in this workspace, which does not tell its serial number; undefined for no device. */
  async nameOf({ device }: DiagnosticsResult): Promise<string | undefined> {
    const serial = serialOf(device);
    if (serial === undefined) return undefined;
    const key = `${await this.#options.workspace()}:${serial}`;
    return hash('sha256', key, 'base64url').slice(0, NAME_LENGTH);
  }

  async #of(question: Question, { result }: Read): Promise<readonly KeptRead[]> {
    return (await this.#options.namespace.get(await this.#keyOf(question, result))) ?? [];
  }

  /**
   * Passed checks have a list of their own, as has each snapshot of a device without a serial number: its id stands alone
   * in the key, so that it can be forgotten.
   */
  async #keyOf({ set, snapshotId }: Question, { device }: DiagnosticsResult): Promise<string> {
    const name = serialOf(device) ?? `snapshot:${snapshotId}`;
    return `${await this.#options.workspace()}:${name}${set === 'miss' ? ':passed' : ''}`;
  }

  #orUndefined<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
    return work().catch((error: unknown) => {
      this.#options.onError(error);
      return undefined;
    });
  }
}

/** What the history says of a result; of passed checks nothing, because a comparison needs hits. */
function lastIn(list: readonly KeptRead[], question: Question, read: Read): LastRead | undefined {
  if (question.set === 'miss') return undefined;
  const { snapshotId } = question;
  const others = list.filter((each) => each.question.snapshotId !== snapshotId && each.at < read.readAt);
  const present = hostOf(read.result.device);
  const hosts = [present, ...others.map(({ host = '' }) => host)];
  const areSeveral = hosts.some((one) => hosts.some((other) => areOtherHosts(one, other)));
  const isOtherHost = ({ host = '' }: DeviceRead) => areOtherHosts(host, present);
  // Which of several hosts a snapshot without a name is of is not known.
  const isSame = (each: DeviceRead) =>
    !isOtherHost(each) && !(areSeveral && [present, each.host ?? ''].includes(''));
  const last = others.find(isSame) ?? others.find(isOtherHost);
  if (last === undefined) return undefined;
  const isNewer = isEarlier(snapshotId, last.question.snapshotId);
  const isOther = isOtherHost(last);
  const found = isOther ? undefined : changes(last, question, read, isNewer);
  const { question: asked, at, host = '' } = last;
  return { question: asked, at, host, isNewer, isOtherHost: isOther, found };
}

/** What changed from a known read to this result, or where the known one is of a later snapshot, from the result to it. */
function changes(
  { hits }: KeptRead,
  { set }: Question,
  { result }: Read,
  isKnownLater: boolean,
): Comparison<Named> | undefined {
  const present = hitsOf(set, result);
  if (hits === undefined || present === undefined) return undefined;
  return isKnownLater ? compareHits(present, hits) : compareHits(hits, present);
}

/** The hits, or for `miss` the passed checks; undefined if the document does not list all of them. */
function hitsOf(set: Question['set'], result: DiagnosticsResult): readonly Named[] | undefined {
  return listsWholeSide(result, set) ? sideOf(result, set === 'miss' ? 'miss' : 'hit') : undefined;
}

function covers({ question, firstAt, at }: KeptRead, sought: Question, time: number): boolean {
  return questionKey(question) === questionKey(sought) && firstAt <= time && time <= at;
}

/** The latest reads first. Gives the same list back if the read is in it, as with each further click on its message. */
function withRead(
  list: readonly KeptRead[],
  question: Question,
  { result, readAt: at }: Read,
): readonly KeptRead[] {
  if (list.some((each) => covers(each, question, at))) return list;
  const hits = hitsOf(question.set, result)?.map(({ name, importance }) => ({ name, importance }));
  const read = { question, firstAt: at, at, host: hostOf(result.device), ...(hits && { hits }) };
  const before = list.find((each) => questionKey(each.question) === questionKey(question));
  const isUnchanged =
    before !== undefined && isDeepStrictEqual({ ...before, firstAt: at, at }, read) && before.at < at;
  const kept = isUnchanged ? { ...read, firstAt: before.firstAt } : read;
  const others = isUnchanged ? list.filter((each) => each !== before) : list;
  return withinLimits([kept, ...others].toSorted((one, other) => other.at - one.at));
}

function withinLimits(list: readonly KeptRead[]): readonly KeptRead[] {
  let count = 0;
  return list.slice(0, MOST).map(({ hits, ...read }, index) => {
    count += hits?.length ?? 0;
    return hits !== undefined && (index < 2 || count <= MOST_HITS) ? { ...read, hits } : read;
  });
}

/** Records every result of an answer. Gives it with the last read of each device, except of a comparison or a search. */
export async function recorded<T extends Answers>(
  { question, before, search }: Asked,
  answers: T,
  history: Pick<DeviceHistory, 'record'>,
): Promise<T> {
  if (answers.units !== undefined) return { ...answers, units: await recordedEach(answers.units, history) };
  if (before !== undefined && answers.before !== undefined) await history.record(before, answers.before);
  const lastRead = await history.record(question, answers);
  const isPlain = before === undefined && search === undefined;
  return lastRead === undefined || !isPlain ? answers : { ...answers, lastRead };
}

/** The same for several snapshots, some of which may have no result. */
export function recordedEach(
  units: readonly Unit[],
  history: Pick<DeviceHistory, 'record'>,
): Promise<Unit[]> {
  const each = async (unit: Unit) => (unit.kind === 'ready' ? recorded(unit, unit, history) : unit);
  return Promise.all(units.map(each));
}
