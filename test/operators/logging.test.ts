import { expect, test } from 'vitest';
import { boltLogger, createLogger, forPeople, inLookup } from '../../src/ops/logging.ts';

function logging(level: 'info' | 'trace' = 'info') {
  const lines: string[] = [];
  const logger = createLogger(level, ['sesame-open'], { write: (line) => void lines.push(line) });
  return { lines, logger };
}

test('Every line within a lookup carries its id, also from child loggers; a line’s own id takes precedence', async () => {
  const { lines, logger } = logging();
  await inLookup('one', async () => {
    await Promise.resolve();
    logger.child({ part: 'slack' }).warn('from a library');
    logger.info({ lookup: 'other' }, 'named');
  });
  logger.info('outside');
  expect(lines.map((line) => JSON.parse(line).lookup)).toEqual(['one', 'other', undefined]);
});

test('LOG_FORMAT=pretty gives people a line with the time, the level, the part, the message and the fields', () => {
  const lines: string[] = [];
  const out = forPeople({ write: (line) => void lines.push(line) });
  const logger = createLogger('info', ['sesame-open'], out);
  logger.child({ part: 'redis' }).warn({ lookup: 'one', token: 'sesame-open' }, 'is away');
  logger.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed');
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d\.\d{3} WARN {2}redis: is away lookup="one" token="\[hidden\]"\n$/,
  );
  expect(lines[1]).toMatch(/ERROR failed\n {4}Error: outer\n {4} +at [\s\S]+\n {4}Error: inner\n {4} +at /);
});

test('An error is logged with the stacks of its causes, and no secret in them', () => {
  const { lines, logger } = logging();
  logger.error({ err: new Error('outer', { cause: new Error('sesame-open') }) }, 'failed');
  const { err } = JSON.parse(lines[0] ?? '');
  expect(err.stack).toMatch(/^Error: outer\n {4}at /);
  expect(err.cause).toMatchObject({
    message: '[hidden]',
    stack: expect.stringMatching(/^Error: \[hidden\]\n {4}at /),
  });
});

test('A line of Slack’s libraries that repeats what a stranger sent is cut, and a call is told without its content', () => {
  const { lines, logger } = logging();
  const bolt = boltLogger(logger);
  bolt.warn('x'.repeat(1_000), 'y'.repeat(5_000));
  expect(JSON.parse(lines[0] ?? '').msg).toBe(`${'x'.repeat(1_000)} ${'y'.repeat(999)}`);
  bolt.warn('http request failed a first time');
  bolt.debug("apiCall('chat.postMessage') start");
  bolt.info('connected');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', part: 'slack' });
  bolt.error('could not', 'go on');
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ level: 'error', part: 'slack', msg: 'could not go on' });
});

test('At level trace calls are logged without what they hold, and tries that failed', () => {
  const { lines, logger } = logging('trace');
  const bolt = boltLogger(logger);
  bolt.debug("apiCall('chat.postMessage') start");
  bolt.debug("apiCall('chat.postMessage') end");
  bolt.debug("apiCall('chat.postMessage') start with a secret text");
  bolt.debug('http request url: https://slack.com/api/, body: {"text":"a secret text"}');
  bolt.warn('http request failed a first time');
  expect(lines.map((line) => JSON.parse(line)).map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    "trace apiCall('chat.postMessage') start",
    "trace apiCall('chat.postMessage') end",
    'debug http request failed a first time',
  ]);
});

test('Slack’s libraries are told to say no more than what is logged', () => {
  const levels = (['trace', 'debug', 'info', 'error'] as const).map((level) =>
    boltLogger(createLogger(level, [], { write: () => {} })).getLevel(),
  );
  expect(levels).toEqual(['debug', 'debug', 'warn', 'warn']);
});
