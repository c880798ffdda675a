import { expect, test } from 'vitest';
import { boltLogger, createLogger, inLookup } from '../../src/ops/logging.ts';

function logging(format: 'json' | 'pretty' = 'json', level: 'info' | 'trace' = 'info') {
  const lines: string[] = [];
  const logger = createLogger(level, ['sesame-open'], { write: (line) => void lines.push(line) }, format);
  return { lines, logger };
}

test('Every line within a lookup carries its id, through children and awaits; an id of the line itself takes precedence', async () => {
  const { lines, logger } = logging();
  await inLookup('one', async () => {
    await Promise.resolve();
    logger.child({ part: 'slack' }).warn('from a library');
    logger.info({ lookup: 'other' }, 'named');
  });
  logger.info('outside');
  expect(lines.map((line) => JSON.parse(line).lookup)).toEqual(['one', 'other', undefined]);
});

test('LOG_FORMAT=pretty gives people a line with the time, the level, whose it is, the text and the fields', () => {
  const { lines, logger } = logging('pretty');
  logger.child({ part: 'redis' }).warn({ lookup: 'one', text: 'two words', token: 'sesame-open' }, 'is away');
  expect(lines).toEqual([
    expect.stringMatching(
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}redis: is away lookup=one text="two words" token=\S+\n$/,
    ),
  ]);
  expect(lines.join('')).not.toContain('sesame');
});

test('An error is shown with its causes, each with its stack', () => {
  const { lines, logger } = logging('pretty');
  logger.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'failed');
  expect(lines[0]).toMatch(
    /ERROR failed\n {4}Error: outer\n {4} +at [\s\S]+caused by\n {4}Error: inner\n {4} +at /,
  );
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
  const { lines, logger } = logging('json', 'trace');
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

test('A value that could be taken for two is quoted', () => {
  const { lines, logger } = logging('pretty');
  logger.info({ plain: 'a', spaced: 'a b', quoted: 'a"b', assigned: 'a=b', count: 3 }, 'said');
  expect(lines[0]).toContain(
    String.raw`INFO  said plain=a spaced="a b" quoted="a\"b" assigned="a=b" count=3`,
  );
});
