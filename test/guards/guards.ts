import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const TEST = /`(test\/[^`]+\.test\.ts)`/g;

/** The threats in the table of `SECURITY.md`, each with the test files of its last column. */
export const THREATS: ReadonlyMap<string, readonly string[]> = new Map(
  readFileSync(join(import.meta.dirname, '..', '..', 'SECURITY.md'), 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 5 && cells[3]?.startsWith('`test/'))
    .map(([, threat = '', , tests = '']) => [
      threat,
      Array.from(tests.matchAll(TEST), ([, path = '']) => path),
    ]),
);

/**
 * A piece of code that protects the bot. Its text `guard` occurs once in `file`; replacing it with `without` removes the
 * protection, and then one of the tests that `SECURITY.md` names for the threat has to go red.
 */
export type Guard = {
  readonly threat: string;
  readonly file: string;
  readonly guard: string;
  readonly without: string;
};

/** By threat, and by file in `src`: the guard, and what stands in its place without it. */
const BY_THREAT: Readonly<
  Record<string, Readonly<Record<string, readonly (readonly [guard: string, without: string])[]>>>
> = {
  'a text or an answer that takes long to read': {
    'slack/commands/parse-command.ts': [
      ['text.length > LONGEST_TEXT || composed(text).length > LONGEST_TEXT', "text === ''"],
    ],
    'slack/commands/lookup.ts': [['slip === undefined || another !== undefined', 'slip === undefined']],
    'core/texts.ts': [["text.replace(MARKS, '').normalize('NFKD')", "text.normalize('NFKD')"]],
    'core/upgrading.ts': [['const deciding = decidingIn(needed);', 'const deciding = needed;']],
    'service/login.ts': [['if (body.length > LONGEST_BODY) return undefined;', '']],
    'service/client.ts': [['.subarray(0, REASON_BYTES)', '']],
  },
  'a signed body or a frame that is no delivery, and ends the process': {
    'slack/front/delivery.ts': [
      ['if (error === undefined) return data;', 'if (error === undefined || named !== "") return body as T;'],
    ],
    'slack/front/over-socket.ts': [['isBinary !== true && isFrame(data)', 'true']],
  },
  'a value, a window or a message that is made up, to act elsewhere or as somebody else': {
    'slack/front/front.ts': [
      ['context.windows.isGenuine(window, actor.user)', 'actor.user !== undefined'],
      ['isShown !== false', 'delivery !== undefined'],
    ],
    'slack/front/windows.ts': [['JSON.stringify(texts)', "String(texts[0] ?? '')"]],
    'slack/front/read-delivery.ts': [
      [".refine(isOneMessage, { path: ['container', 'message_ts'] })", ''],
      ['texts.every((text) => block.includes(text))', 'texts.every((text) => block !== text)'],
    ],
    'slack/blocks/action-values.ts': [['/^[UW][A-Z0-9]+$/', '/^/']],
    'slack/front/use.ts': [
      ['message?.blocks?.at(-1)?.block_id ?? this.#action?.block_id', 'this.#action?.block_id'],
    ],
    'slack/front/listeners.ts': [
      ["actor.entryPoint.isPreview === true ? 'preview' : 'message'", "'message'"],
    ],
  },
  'a request address that makes Bolt or Node fail': {
    'slack/front/over-http.ts': [
      [
        'if (address === null) return refuse(response, 404);',
        "if (address === null) throw new Error('no address');",
      ],
    ],
  },
  'large or unfinished requests of strangers that fill memory': {
    'slack/front/over-http.ts': [
      ['if (size > LARGEST_BODY) return 413;', ''],
      ['if (held > MOST_HELD) return 503;', ''],
    ],
    'core/bounded-server.ts': [
      ['server.maxConnections = bounds.connections;', ''],
      ["headers['transfer-encoding'] === undefined", 'headers !== undefined'],
    ],
  },
  'thousands of requests in one write, answers that nobody takes': {
    'core/bounded-server.ts': [
      ['readInPieces(server);', ''],
      [
        "server.on('checkExpectation', (request, response) => server.emit('request', request, response));",
        '',
      ],
      ['if (answering.has(socket)) return socket.destroy();', ''],
    ],
    'slack/front/over-http.ts': [['if (lines < MOST_LINES) write(...line);', 'write(...line);']],
    'core/time.ts': [['if (now - startedAt >= ms) {', 'if (ms > 0) {']],
  },
  'one person’s flood': {
    'slack/front/turns.ts': [
      ['const isEnough = available >= cost;', 'const isEnough = true;'],
      ['priority: -before', 'priority: 0'],
    ],
  },
  'a delivery whose buttons or modals carry what the bot never wrote': {
    'slack/front/answer-alone.ts': [
      ['if (err instanceof UnreadableValue || err instanceof NotSlack) {', 'if (err instanceof NotSlack) {'],
    ],
  },
  'a refused person who has the bot answer without end': {
    'slack/front/answer-alone.ts': [['fairShare.shouldTell(actor.user)', 'true']],
  },
  'a guest, another company, another workspace of the organization': {
    'slack/front/access.ts': [
      [
        "if (person.teams.some(isOurs)) return person.isGuest && !rules.guests ? 'guest' : undefined;",
        'if (person.teams.some(isOurs)) return undefined;',
      ],
      ["return isOfOrganisation ? 'colleague' : 'foreigner';", 'return undefined;'],
      ["if (person.isApp) return 'outsider';", ''],
    ],
  },
  'a channel that another company reads': {
    'slack/front/listeners.ts': [["return 'post';", "return 'ask';"]],
    'slack/front/access.ts': [
      ["if (isShared === true) return 'shared';", ''],
      ["return isShared === false || isShared === 'hidden';", 'return true;'],
    ],
    'slack/features/case-text/index.ts': [["on.form(CASE_VIEW, 'post'", "on.form(CASE_VIEW, 'read'"]],
  },
  'a payload without team or user': {
    'slack/front/access.ts': [
      [
        "if (team === undefined) return isUnknown ? 'unsure' : 'outsider';",
        'if (team === undefined) return undefined;',
      ],
    ],
  },
  'somebody who lost access while waiting': {
    'lookups/step.ts': [['answers !== undefined && !(await delivery.mayStillSee(job))', 'false']],
  },
  'Slack does not say who asks': {
    'slack/front/access.ts': [
      ["return isUnknown && !rules.guests ? 'unsure' : undefined;", 'return undefined;'],
    ],
  },
  'a list of allowed ids that holds nothing': {
    'config/settings.ts': [['list.length > 0', 'list.length >= 0']],
  },
  'somebody who has the bot post where they are not': {
    'slack/features/ask/look-up.ts': [
      ['if (chosen === undefined) return undefined;', 'if (chosen === undefined) return { channel, user };'],
    ],
  },
  'a click that is delivered again': {
    'slack/front/front.ts': [["? undefined : 'replayed';", '? undefined : undefined;']],
  },
  'a secret in the log': {
    'ops/logging.ts': [['text.replaceAll(secret, HIDDEN)', 'text']],
  },
  'a password sent to whoever answers': {
    'config/read-config.ts': [["variables.NODE_TLS_REJECT_UNAUTHORIZED === '0'", 'false']],
  },
  'an answer or a file sent to a host that is not Slack’s': {
    'slack/front/slack-client.ts': [['if (!(isThere || isBeside) ||', 'if (']],
  },
  'a setting that hides another address in it': {
    'config/settings.ts': [
      [
        'PLAIN_ADDRESS.test(value) ? (URL.parse(value) ?? undefined) : undefined',
        'URL.parse(value) ?? undefined',
      ],
    ],
  },
  'a document that takes all memory or time, and the bot with it': {
    'service/document.ts': [['diagnostics: MOST_DIAGNOSTICS }', 'diagnostics: 1_000_000 }']],
    'service/document-reader.ts': [
      ['new PQueue({ concurrency: 1 })', 'new PQueue({ concurrency: 100 })'],
      ['if (report === LATE) throw tooLarge;', 'if (report === LATE) return resultIn(await promise);'],
      ['await inTime(LONGEST_END_MS, worker.terminate());', 'await worker.terminate();'],
    ],
    'main.ts': [['thread === end || thread.terminate()', 'thread === end']],
  },
  'a lookup that ends the process at each start': {
    'lookups/step.ts': [['deaths >= MOST_DEATHS', 'false']],
    'storage/sqlite/local-jobs.ts': [['SET begun = begun + 1', 'SET begun = begun']],
  },
  'an entity or a DOCTYPE that makes a small document large': {
    'service/xml.ts': [["return DOCTYPE.test(beginning) ? 'doctype' : undefined;", 'return undefined;']],
  },
  'whoever moves or alters a stored value': {
    'storage/backend/sealer.ts': [
      [
        'createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(storedName))',
        "createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(''))",
      ],
    ],
  },
  'whoever reads ids of people and snapshots in the names of stored values': {
    'storage/backend/sealer.ts': [
      ["digest('base64url').slice(0, NAME_LENGTH)", "digest('base64url').slice(0, NAME_LENGTH) + key"],
    ],
  },
  'somebody else on the machine who reads the data directory': {
    'storage/sqlite/sqlite-file.ts': [
      ['if (existsSync(file + suffix)) chmodSync(file + suffix, PRIVATE_FILE);', ''],
    ],
    'storage/backend/state-key.ts': [
      ["if ((found.mode & OTHERS) !== 0) throw new KeyFileUnusable(file, 'open to others');", 'void OTHERS;'],
    ],
  },
  'markup, mentions and marks of direction in what a device wrote': {
    'slack/blocks/limits.ts': [
      [".replace(DIRECTIONS, '')", ''],
      ['.replace(MARKUP, (character) => LOOK_ALIKES[character] ?? character)', ''],
    ],
  },
  'a link that leads elsewhere than it seems': {
    'slack/answer/solutions.ts': [
      ["if (address.username !== '' || address.password !== '') return undefined;", ''],
    ],
  },
  'a formula in an exported table': {
    'slack/features/export/file.ts': [
      ['FORMULA.test(whole)', 'false'],
      ['sign && "\'",', ''],
    ],
  },
  'a link, an image or a mention in an exported report': {
    'slack/features/export/markdown.ts': [[".replace(MARKUP, '\\\\$&')", '']],
  },
  'something done that nobody can find afterwards': {
    'observe.ts': [["audit({ event: 'accepted', ...auditedOf(job) });", '{}']],
    'slack/front/answer-alone.ts': [
      [
        "context.audit({ event: 'refused', user: actor.user, channel: actor.channels[0], outcome: refusal });",
        ';',
      ],
    ],
  },
};

export const GUARDS: readonly Guard[] = Object.entries(BY_THREAT).flatMap(([threat, files]) =>
  Object.entries(files).flatMap(([file, rows]) =>
    rows.map(([guard, without]) => ({ threat, file: `src/${file}`, guard, without })),
  ),
);
