import { createHash } from 'node:crypto';
import { areOtherHosts, hostOf, serialOf } from '../core/device-identity.ts';
import type { DiagnosticsResult } from '../core/diagnostics.ts';
import { GatheredChanges } from '../core/gathered-changes.ts';
import type { Question } from '../core/lookup.ts';
import type { Mutex } from '../core/mutex.ts';
import { isEarlier } from '../core/snapshot-id.ts';
import type { Namespace } from '../core/store.ts';
import { changesSince, type HitSummaries } from './hit-summaries.ts';
import type { DeviceRead, LastRead, Read } from './lookup-status.ts';

type DeviceHistoryOptions = {
  readonly namespace: Namespace<readonly DeviceRead[]>;
  readonly hitSummaries: HitSummaries;
  readonly mutex: Mutex;
  /** For how long a read is remembered. Milliseconds. */
  readonly historyMs: number;
  /** The workspace that the bot serves: results that were read in another workspace are never named. */
  readonly workspace: () => Promise<string>;
  /** Called with storage errors: an answer is sent even if the history cannot be read or written. */
  readonly onError: (error: unknown) => void;
};

/** A chassis can hold a dozen hosts. */
const MOST = 30;
const NAME_LENGTH = 22;

/** The latest results of each device, by its serial number. It does not hold who read them, or where. */
export class DeviceHistory {
  readonly #options: DeviceHistoryOptions;
  readonly #lists: GatheredChanges<readonly DeviceRead[]>;

  constructor(options: DeviceHistoryOptions) {
    this.#options = options;
    this.#lists = new GatheredChanges({ ...options, name: 'device', ttlMs: options.historyMs });
  }

  /** The latest read of the same device that came before this one and is of another snapshot, as far as it is known now. */
  lastBefore(question: Question, read: Read): Promise<LastRead | undefined> {
    return this.#orUndefined(() => this.find(question, read));
  }

  /** The same for a request that cannot be answered without it. Throws if the history cannot be read. */
  async find(question: Question, { result, readAt }: Read): Promise<LastRead | undefined> {
    const key = await this.#keyOf(question, result);
    if (key === undefined) return undefined;
    const reads = (await this.#options.namespace.get(key)) ?? [];
    const others = reads
      .filter((read) => read.question.snapshotId !== question.snapshotId && read.at < readAt)
      .toSorted((one, other) => other.at - one.at);
    // Of the same host, if there is one.
    const last = others.find((read) => !isOtherHost(read, result)) ?? others[0];
    return last && this.#since(last, question, result);
  }

  /** What has changed in a result since that read of the same device, as far as it is known now. */
  changesSince(last: DeviceRead, question: Question, { result }: Read): Promise<LastRead | undefined> {
    return this.#orUndefined(() => this.#since(last, question, result));
  }

  /** A short name of the device in this workspace, which does not tell its serial number; undefined for no device. */
  async nameOf({ device }: DiagnosticsResult): Promise<string | undefined> {
    const key = await this.#keyOf({ set: 'all' }, { device });
    return key && createHash('sha256').update(key).digest('base64url').slice(0, NAME_LENGTH);
  }

  async #since(last: DeviceRead, question: Question, result: DiagnosticsResult): Promise<LastRead> {
    const compared = {
      ...last,
      isNewer: isEarlier(question.snapshotId, last.question.snapshotId),
      isOtherHost: isOtherHost(last, result),
    };
    // A result of passed checks lists no hits, so none of them can be new or cleared.
    if (compared.isOtherHost || last.question.set === 'miss') return { ...compared, found: undefined };
    const summary = await this.#options.hitSummaries.find(last.question, last.at);
    return { ...compared, found: changesSince(summary, question, result, compared.isNewer) };
  }

  /** Records that this result was read. */
  async keep(question: Question, { result, readAt }: Read): Promise<void> {
    await this.#orUndefined(async () => {
      const key = await this.#keyOf(question, result);
      if (key === undefined) return;
      await this.#lists.make(key, (list = []) =>
        withRead(list, { question, at: readAt, host: hostOf(result.device) }),
      );
    });
  }

  /** Undefined without a serial number, and for passed checks: a comparison needs hits. */
  async #keyOf(
    { set }: Pick<Question, 'set'>,
    { device }: Pick<DiagnosticsResult, 'device'>,
  ): Promise<string | undefined> {
    const serial = serialOf(device);
    if (serial === undefined || set === 'miss') return undefined;
    return `${await this.#options.workspace()}:${serial}`;
  }

  async #orUndefined<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#options.onError(error);
      return undefined;
    }
  }
}

function isOtherHost({ host = '' }: DeviceRead, { device }: DiagnosticsResult): boolean {
  return areOtherHosts(host, hostOf(device));
}

/** Gives the same list back if the read is already its first entry, as with simultaneous requests. */
function withRead(list: readonly DeviceRead[], read: DeviceRead): readonly DeviceRead[] {
  const [first, { snapshotId, set }] = [list[0], read.question];
  if (first?.at === read.at && first.question.snapshotId === snapshotId && first.question.set === set)
    return list;
  return [read, ...list.filter(({ question }) => question.snapshotId !== snapshotId)].slice(0, MOST);
}
