import fc from 'fast-check';
import { isRecord, type Json, string } from '../emulators/slack/json.ts';
import { openWorld, type World } from '../support/world.ts';
import { type Recorded, recordDeliveries } from './recorded-deliveries.ts';

/** Values that replace a value of a delivery. */
const ODD: readonly unknown[] = [
  ...[null, true, 0, -1, Number.MAX_VALUE, '', ' ', [], {}, [null], [[]], '\u202e\ud800', 'x'.repeat(5_000)],
  ...'__proto__ constructor U0BEN U0NOBODY C0RANDOM D0 T0OTHER 1001 0 99999999999999999999'.split(' '),
  ...['{', '{}', 'null', '<!channel>', 'compare 1001 1002', 'critical.high/with', 'https://evil.test/x'],
];
const FORM = 'application/x-www-form-urlencoded';
const TAKEN = [200, 400];

type Change = readonly [where: number, what: number, removed: boolean];

/** A changed delivery: its body, which Slack would sign, and its content type. */
type Body = { readonly body: string; readonly type: string };

let triggers = 0;

/** Recorded deliveries with up to three random changes. */
function almost(corpus: readonly Recorded[]): fc.Arbitrary<Body> {
  const change: fc.Arbitrary<Change> = fc.tuple(
    fc.nat(),
    fc.nat(),
    fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
  );
  return fc
    .tuple(fc.constantFrom(...corpus), fc.array(change, { maxLength: 3 }))
    .map(([recorded, changes]) => bodyOf(recorded, changes));
}

function bodyOf({ kind, payload }: Recorded, changes: readonly Change[]): Body {
  const copy: Json = structuredClone(payload);
  // The bot would ignore a delivery with an id that it has seen.
  triggers += 1;
  if ('trigger_id' in copy) copy.trigger_id = `${triggers}.fuzz`;
  if ('event_id' in copy) copy.event_id = `Ev${triggers}`;
  for (const [where, what, removed] of changes)
    alter(copy, where, structuredClone(ODD[what % ODD.length]), removed);
  if (kind === 'event') return { type: 'application/json', body: JSON.stringify(copy) };
  const fields =
    kind === 'interaction'
      ? { payload: JSON.stringify(copy) }
      : Object.fromEntries(Object.entries(copy).map(([key, value]) => [key, string(value)]));
  return { type: FORM, body: new URLSearchParams(fields).toString() };
}

/** Replaces or removes a value anywhere in `root`, including JSON inside strings. */
function alter(root: Json, where: number, odd: unknown, removed: boolean): void {
  const places = placesIn(root);
  const place = places[where % places.length];
  if (place === undefined) return;
  const [parent, key] = place;
  const inner = parsed(parent[key]);
  if (inner !== undefined && where % 2 === 0) {
    alter(inner, where >> 1, odd, removed);
    parent[key] = JSON.stringify(inner);
  } else if (removed) delete parent[key];
  else parent[key] = odd;
}

function placesIn(value: unknown): [parent: Json, key: string][] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Json;
  return Object.keys(parent).flatMap((key) => [[parent, key] as [Json, string], ...placesIn(parent[key])]);
}

function parsed(value: unknown): Json | undefined {
  if (typeof value !== 'string' || !value.startsWith('{')) return undefined;
  try {
    const json: unknown = JSON.parse(value);
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** A bot between both emulators, and random deliveries for every listener. */
type HandlersTarget = {
  readonly input: fc.Arbitrary<Body>;
  /** Throws when the bot answers with a status other than 200 or 400. */
  check(input: Body): Promise<void>;
  readonly kinds: number;
  /** Whether the bot still answers a command. */
  serves(): Promise<boolean>;
  close(): Promise<void>;
};

/** Starts the bot, and uses all of its controls to record the deliveries for each listener. */
export async function openHandlers(): Promise<HandlersTarget> {
  const world = await openWorld({ variables: { COMMANDS_PER_MINUTE: '1000000', ADMINS: 'U0ANA' } });
  const corpus = await recordDeliveries(world);
  return {
    input: almost(corpus),
    check: (input) => check(world, input),
    kinds: corpus.length,
    serves: async () => (await world.slack.command({ text: 'help' })).status === 200,
    close: () => world.close(),
  };
}

/** A signed payload that Slack would never send may fail, but without an effect on other people. */
async function check({ slack }: World, { body, type }: Body): Promise<void> {
  const status = await slack.sendRaw(body, type);
  if (!TAKEN.includes(status)) throw new Error(`answered with ${status}`);
}
