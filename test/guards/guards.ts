/**
 * A piece of code that protects the bot, from the table in `SECURITY.md`. Its text `guard` occurs once in `file`; replacing
 * it with `without` removes the protection, and then a test has to go red.
 */
export type Guard = {
  /** The first column of the table in `SECURITY.md`. */
  readonly threat: string;
  readonly file: string;
  readonly guard: string;
  readonly without: string;
  /** The test files from the last column of that table of which at least one has to go red. */
  readonly tests: readonly string[];
};

const FORGED = 'a value, a window or a message that is made up, to act elsewhere or as somebody else';
const TAKES_TOO_LONG = 'a text or an answer that takes long to read';
const NO_DELIVERY = 'a signed body or a frame that is no delivery, and ends the process';
const FILLS_MEMORY = 'large or unfinished requests of strangers that fill memory';
const PIPELINED = 'thousands of requests in one write, answers that nobody takes';
const STRANGERS = 'a guest, another company, another workspace of the organization';
const SHARED = 'a channel that another company reads';
const FILES = 'somebody else on the machine who reads the data directory';
const MARKUP = 'markup, mentions and marks of direction in what a device wrote';

const ODD = 'test/bot/odd-deliveries.test.ts';
const FLOODS = 'test/bot/floods.test.ts';
const WHO = 'test/bot/who-may-see.test.ts';
const RULES = 'test/unit/slack/front/access-rules.test.ts';
const CONFIGURATION = 'test/unit/configuration.test.ts';

export const GUARDS: readonly Guard[] = [
  {
    threat: TAKES_TOO_LONG,
    file: 'src/slack/commands/parse-command.ts',
    guard: 'text.length > LONGEST_TEXT || composed(text).length > LONGEST_TEXT',
    without: "text === ''",
    tests: ['test/unit/command-grammar.test.ts', 'test/unit/linear-time.test.ts'],
  },
  {
    threat: TAKES_TOO_LONG,
    file: 'src/slack/commands/near-words.ts',
    guard: 'slip === undefined || another !== undefined',
    without: 'slip === undefined',
    tests: ['test/unit/linear-time.test.ts'],
  },
  {
    threat: TAKES_TOO_LONG,
    file: 'src/core/texts.ts',
    guard: "text.replace(MARKS, '').normalize('NFKD')",
    without: "text.normalize('NFKD')",
    tests: ['test/unit/linear-time.test.ts'],
  },
  {
    threat: TAKES_TOO_LONG,
    file: 'src/core/upgrading.ts',
    guard: 'const deciding = decidingIn(needed);',
    without: 'const deciding = needed;',
    tests: ['test/unit/longest-standstill.test.ts'],
  },
  {
    threat: TAKES_TOO_LONG,
    file: 'src/service/login.ts',
    guard: 'if (body.length > LONGEST_BODY) return undefined;',
    without: '',
    tests: ['test/unit/longest-standstill.test.ts'],
  },
  {
    threat: TAKES_TOO_LONG,
    file: 'src/service/client.ts',
    guard: '.subarray(0, REASON_BYTES)',
    without: '',
    tests: ['test/unit/longest-standstill.test.ts'],
  },
  {
    threat: NO_DELIVERY,
    file: 'src/slack/front/delivery.ts',
    guard: 'if (error === undefined) return data;',
    without: 'if (error === undefined || named !== "") return body as T;',
    tests: [ODD],
  },
  {
    threat: NO_DELIVERY,
    file: 'src/slack/front/over-socket.ts',
    guard: 'isBinary !== true && isFrame(data)',
    without: 'true',
    tests: [ODD],
  },
  {
    threat: FORGED,
    file: 'src/slack/front/front.ts',
    guard: 'context.windows.isGenuine(window, actor.user)',
    without: 'actor.user !== undefined',
    tests: ['test/bot/forged.test.ts'],
  },
  {
    threat: FORGED,
    file: 'src/slack/front/windows.ts',
    guard: 'JSON.stringify(texts)',
    without: "String(texts[0] ?? '')",
    tests: ['test/bot/forged.test.ts'],
  },
  {
    threat: FORGED,
    file: 'src/slack/front/front.ts',
    guard: 'isShown !== false',
    without: 'delivery !== undefined',
    tests: ['test/bot/forged.test.ts'],
  },
  {
    threat: FORGED,
    file: 'src/slack/front/read-delivery.ts',
    guard: "\n    .refine(isOneMessage, { path: ['container', 'message_ts'] })",
    without: '',
    tests: ['test/bot/forged.test.ts'],
  },
  {
    threat: FORGED,
    file: 'src/slack/block-kit/action-values.ts',
    guard: '/^[UW][A-Z0-9]+$/',
    without: '/^/',
    tests: ['test/bot/forged.test.ts'],
  },
  {
    threat: FORGED,
    file: 'src/slack/front/click.ts',
    guard: 'readState(message?.blocks?.at(-1)?.block_id ?? action.block_id)',
    without: "readState(message === '' ? '' : action.block_id)",
    tests: ['test/bot/forged.test.ts'],
  },
  {
    threat: FORGED,
    file: 'src/slack/front/listeners.ts',
    guard: "actor.entryPoint.isPreview === true ? 'preview' : 'message'",
    without: "'message'",
    tests: ['test/bot/forged.test.ts'],
  },
  {
    threat: FORGED,
    file: 'src/slack/front/listeners.ts',
    guard: 'return this.#placesOf(name)?.home;',
    without: "return 'ask';",
    tests: ['test/bot/forged.test.ts'],
  },
  {
    threat: FORGED,
    file: 'src/slack/front/read-delivery.ts',
    guard: 'texts.every((text) => block.includes(text))',
    without: 'texts.every((text) => block !== text)',
    tests: ['test/bot/access.test.ts', 'test/bot/forged.test.ts'],
  },
  {
    threat: 'a request address that makes Bolt or Node fail',
    file: 'src/slack/front/over-http.ts',
    guard: 'if (address === null) return refuse(response, 404);',
    without: "if (address === null) throw new Error('no address');",
    tests: [ODD],
  },
  {
    threat: FILLS_MEMORY,
    file: 'src/slack/front/over-http.ts',
    guard: 'if (size > LARGEST_BODY) return 413;',
    without: '',
    tests: [ODD],
  },
  {
    threat: FILLS_MEMORY,
    file: 'src/slack/front/over-http.ts',
    guard: 'if (held > MOST_HELD) return 503;',
    without: '',
    tests: ['test/durability/shipped-limits.test.ts'],
  },
  {
    threat: FILLS_MEMORY,
    file: 'src/core/bounded-server.ts',
    guard: 'server.maxConnections = connections;',
    without: '',
    tests: ['test/unit/slack/front/http-limits.test.ts'],
  },
  {
    threat: FILLS_MEMORY,
    file: 'src/core/bounded-server.ts',
    guard: "headers['transfer-encoding'] === undefined",
    without: 'headers !== undefined',
    tests: [FLOODS],
  },
  {
    threat: PIPELINED,
    file: 'src/core/bounded-server.ts',
    guard: '  readInPieces(server);',
    without: '',
    tests: [FLOODS],
  },
  {
    threat: PIPELINED,
    file: 'src/core/bounded-server.ts',
    guard: "server.on('checkExpectation', (request, response) => server.emit('request', request, response));",
    without: '',
    tests: [FLOODS],
  },
  {
    threat: PIPELINED,
    file: 'src/core/bounded-server.ts',
    guard: 'if (answering.has(socket)) return socket.destroy();',
    without: '',
    tests: [FLOODS],
  },
  {
    threat: PIPELINED,
    file: 'src/slack/front/over-http.ts',
    guard: 'if (lines < MOST_LINES) write(...line);',
    without: 'write(...line);',
    tests: ['test/unit/slack/front/http-limits.test.ts'],
  },
  {
    threat: PIPELINED,
    file: 'src/core/time.ts',
    guard: 'if (now - startedAt >= ms) {',
    without: 'if (ms > 0) {',
    tests: ['test/unit/ops/health.test.ts'],
  },
  {
    threat: 'one person’s flood',
    file: 'src/slack/front/turns.ts',
    guard: 'const isEnough = available >= cost;',
    without: 'const isEnough = true;',
    tests: [FLOODS, 'test/unit/slack/front/fair-share.test.ts'],
  },
  {
    threat: 'one person’s flood',
    file: 'src/slack/front/turns.ts',
    guard: 'priority: -before',
    without: 'priority: 0',
    tests: [FLOODS, 'test/unit/slack/front/fair-queue.test.ts'],
  },
  {
    threat: 'a delivery whose buttons or modals carry what the bot never wrote',
    file: 'src/slack/front/answer-alone.ts',
    guard: 'if (err instanceof UnreadableValue || err instanceof NotSlack) {',
    without: 'if (err instanceof NotSlack) {',
    tests: ['test/bot/failures.test.ts'],
  },
  {
    threat: 'a refused person who has the bot answer without end',
    file: 'src/slack/front/answer-alone.ts',
    guard: 'fairShare.shouldTell(actor.user)',
    without: 'true',
    tests: [FLOODS],
  },
  {
    threat: STRANGERS,
    file: 'src/slack/front/access.ts',
    guard: "if (person.teams.some(isOurs)) return person.isGuest && !rules.guests ? 'guest' : undefined;",
    without: 'if (person.teams.some(isOurs)) return undefined;',
    tests: [WHO, RULES],
  },
  {
    threat: STRANGERS,
    file: 'src/slack/front/access.ts',
    guard: "return isOfOrganisation(person, enterprise) ? 'colleague' : 'foreigner';",
    without: 'return undefined;',
    tests: [WHO, RULES],
  },
  {
    threat: STRANGERS,
    file: 'src/slack/front/access.ts',
    guard: "if (person.isApp) return 'outsider';",
    without: '',
    tests: ['test/bot/unfurl.test.ts'],
  },
  {
    threat: SHARED,
    file: 'src/slack/front/listeners.ts',
    guard: "return 'post';",
    without: "return 'ask';",
    tests: ['test/bot/unfurl.test.ts'],
  },
  {
    threat: 'a payload without team or user',
    file: 'src/slack/front/access.ts',
    guard: "if (team === undefined) return isUnknown ? 'unsure' : 'outsider';",
    without: 'if (team === undefined) return undefined;',
    tests: [RULES, ODD],
  },
  {
    threat: SHARED,
    file: 'src/slack/front/access.ts',
    guard: "if (isShared === true) return 'shared';",
    without: '',
    tests: [WHO],
  },
  {
    threat: SHARED,
    file: 'src/slack/front/access.ts',
    guard: "return rules.sharedChannels || isShared === false || isShared === 'hidden';",
    without: 'return isShared !== rules;',
    tests: [WHO],
  },
  {
    threat: SHARED,
    file: 'src/slack/features/case-text/index.ts',
    guard: "listenToForm(on, CASE_VIEW, 'post', context",
    without: "listenToForm(on, CASE_VIEW, 'read', context",
    tests: ['test/bot/shared-channels.test.ts'],
  },
  {
    threat: 'somebody who lost access while waiting',
    file: 'src/lookups/step.ts',
    guard: 'answers !== undefined && !(await delivery.mayStillSee(job))',
    without: 'false',
    tests: [WHO],
  },
  {
    threat: 'Slack does not say who asks',
    file: 'src/slack/front/access.ts',
    guard: "return isUnknown && !rules.guests ? 'unsure' : undefined;",
    without: 'return undefined;',
    tests: [WHO, RULES],
  },
  {
    threat: 'a list of allowed ids that holds nothing',
    file: 'src/settings.ts',
    guard: 'list.length > 0',
    without: 'list.length >= 0',
    tests: [CONFIGURATION],
  },
  {
    threat: 'somebody who has the bot post where they are not',
    file: 'src/slack/features/ask/look-up.ts',
    guard: 'if (chosen === undefined) return undefined;',
    without: 'if (chosen === undefined) return { channel, user };',
    tests: [WHO],
  },
  {
    threat: 'a click that is delivered again',
    file: 'src/slack/front/front.ts',
    guard: "? undefined : 'replayed';",
    without: '? undefined : undefined;',
    tests: [FLOODS],
  },
  {
    threat: 'a secret in the log',
    file: 'src/ops/logging.ts',
    guard: 'text.replaceAll(secret, HIDDEN)',
    without: 'text',
    tests: ['test/unit/ops/redaction.test.ts', 'test/bot/secrets.test.ts'],
  },
  {
    threat: 'a password sent to whoever answers',
    file: 'src/config.ts',
    guard: "variables.NODE_TLS_REJECT_UNAUTHORIZED === '0'",
    without: 'false',
    tests: [CONFIGURATION],
  },
  {
    threat: 'an answer or a file sent to a host that is not Slack’s',
    file: 'src/slack/front/slack-client.ts',
    guard: 'if (!(isThere || isBeside) || ',
    without: 'if (',
    tests: ['test/unit/slack/front/slack-hosts.test.ts'],
  },
  {
    threat: 'a setting that hides another address in it',
    file: 'src/settings.ts',
    guard: 'PLAIN_ADDRESS.test(value) ? (URL.parse(value) ?? undefined) : undefined',
    without: 'URL.parse(value) ?? undefined',
    tests: [CONFIGURATION],
  },
  {
    threat: 'a document that takes all memory or time, and the bot with it',
    file: 'src/service/document.ts',
    guard: 'diagnostics: MOST_DIAGNOSTICS }',
    without: 'diagnostics: 1_000_000 }',
    tests: ['test/unit/service/document-reader.test.ts'],
  },
  {
    threat: 'a document that takes all memory or time, and the bot with it',
    file: 'src/service/document-reader.ts',
    guard: 'new PQueue({ concurrency: 1 })',
    without: 'new PQueue({ concurrency: 100 })',
    tests: ['test/unit/service/document-reader.test.ts'],
  },
  {
    threat: 'a document that takes all memory or time, and the bot with it',
    file: 'src/service/document-reader.ts',
    guard: 'if (report === LATE) throw tooLarge;',
    without: 'if (report === LATE) return resultIn(await promise);',
    tests: ['test/unit/service/document-reader.test.ts'],
  },
  {
    threat: 'a document that takes all memory or time, and the bot with it',
    file: 'src/service/document-reader.ts',
    guard: 'await inTime(LONGEST_END_MS, worker.terminate());',
    without: 'await worker.terminate();',
    tests: ['test/unit/service/document-reader.test.ts'],
  },
  {
    threat: 'a document that takes all memory or time, and the bot with it',
    file: 'src/main.ts',
    guard: 'thread === end || thread.terminate()',
    without: 'thread === end',
    tests: ['test/durability/start-errors.test.ts'],
  },
  {
    threat: 'a lookup that ends the process at each start',
    file: 'src/lookups/step.ts',
    guard: 'deaths >= MOST_DEATHS',
    without: 'false',
    tests: ['test/unit/lookups/step.test.ts'],
  },
  {
    threat: 'a lookup that ends the process at each start',
    file: 'src/storage/sqlite/local-jobs.ts',
    guard: 'SET begun = begun + 1',
    without: 'SET begun = begun',
    tests: ['test/durability/queues.test.ts'],
  },
  {
    threat: 'an entity or a DOCTYPE that makes a small document large',
    file: 'src/service/xml.ts',
    guard: "return DOCTYPE.test(beginning) ? 'doctype' : undefined;",
    without: 'return undefined;',
    tests: ['test/unit/service/prolog.test.ts'],
  },
  {
    threat: 'whoever moves or alters a stored value',
    file: 'src/storage/backend/sealer.ts',
    guard: 'createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(storedName))',
    without: "createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(''))",
    tests: ['test/unit/storage/sealing.test.ts'],
  },
  {
    threat: 'whoever reads ids of people and snapshots in the names of stored values',
    file: 'src/storage/backend/sealer.ts',
    guard: "digest('base64url').slice(0, NAME_LENGTH)",
    without: "digest('base64url').slice(0, NAME_LENGTH) + key",
    tests: ['test/unit/storage/store.test.ts'],
  },
  {
    threat: FILES,
    file: 'src/storage/sqlite/sqlite-file.ts',
    guard: 'if (existsSync(file + suffix)) chmodSync(file + suffix, PRIVATE_FILE);',
    without: '',
    tests: ['test/unit/storage/data-directory.test.ts'],
  },
  {
    threat: FILES,
    file: 'src/storage/backend/state-key.ts',
    guard: "if ((found.mode & OTHERS) !== 0) throw new KeyFileUnusable(file, 'open to others');",
    without: 'void OTHERS;',
    tests: ['test/unit/storage/keys.test.ts'],
  },
  {
    threat: MARKUP,
    file: 'src/slack/block-kit/limits.ts',
    guard: ".replace(DIRECTIONS, '')",
    without: '',
    tests: ['test/unit/slack/block-kit.test.ts'],
  },
  {
    threat: MARKUP,
    file: 'src/slack/block-kit/limits.ts',
    guard: '.replace(MARKUP, (character) => LOOK_ALIKES[character] ?? character)',
    without: '',
    tests: ['test/unit/any-document.property.test.ts'],
  },
  {
    threat: 'a link that leads elsewhere than it seems',
    file: 'src/slack/answer/solutions.ts',
    guard: "if (address.username !== '' || address.password !== '') return undefined;",
    without: '',
    tests: ['test/unit/any-document.property.test.ts'],
  },
  {
    threat: 'a formula in an exported table',
    file: 'src/slack/features/export/file.ts',
    guard: 'FORMULA.test(whole)',
    without: 'false',
    tests: ['test/unit/any-export.property.test.ts'],
  },
  {
    threat: 'a formula in an exported table',
    file: 'src/slack/features/export/file.ts',
    guard: 'sign && "\'", ',
    without: '',
    tests: ['test/unit/any-export.property.test.ts'],
  },
  {
    threat: 'a link, an image or a mention in an exported report',
    file: 'src/slack/features/export/markdown.ts',
    guard: ".replace(MARKUP, '\\\\$&')",
    without: '',
    tests: ['test/unit/any-export.property.test.ts'],
  },
  {
    threat: 'something done that nobody can find afterwards',
    file: 'src/observe.ts',
    guard: "audit({ event: 'accepted', ...auditedOf(job) });",
    without: '{}',
    tests: ['test/bot/audit.test.ts'],
  },
  {
    threat: 'something done that nobody can find afterwards',
    file: 'src/slack/front/answer-alone.ts',
    guard:
      "context.audit({ event: 'refused', user: actor.user, channel: actor.channels[0], outcome: refusal });",
    without: '',
    tests: ['test/bot/audit.test.ts'],
  },
];
