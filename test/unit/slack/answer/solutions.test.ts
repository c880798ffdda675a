import { describe, expect, test } from 'vitest';
import {
  articleLabel,
  detailsButton,
  linksOf,
  solutionText,
  usualHostOf,
  webAddress,
} from '../../../../src/slack/answer/solutions.ts';
import { LIMITS } from '../../../../src/slack/blocks/limits.ts';

const article = (id: string, host = 'x.example') => ({ url: `https://${host}/s/1`, id });
const LONG = { url: `https://x.example/${'a'.repeat(500)}`, id: 'K9' };

/** An address of this length, with a letter that takes three more characters in it. */
const addressOf = (length: number) => `https://x.example/ä${'a'.repeat(length - 24)}`;

test.each([
  ['http://x.example/', true],
  ['https://x.example/', true],
  ['ftp://x.example/', false],
  ['x.example', false],
  ['https://ana@x.example/', false],
  ['https://:secret@x.example/', false],
  [addressOf(LIMITS.buttonUrl), true],
  [addressOf(LIMITS.buttonUrl + 1), false],
])('The address of an article can be opened: %s %s', (url, canBe) => {
  expect(webAddress({ url }) !== undefined).toBe(canBe);
});

test('An article that is no link is named by its id and its address', () => {
  expect([{ url: 'ftp://x.example', id: 'K1' }, { url: 'K2' }].map(solutionText)).toEqual([
    'K1 ftp://x.example',
    'K2',
  ]);
});

describe('The link to an article', () => {
  const label = (url: string, id?: string, usual?: string) => {
    const solution = id === undefined ? { url } : { url, id };
    return articleLabel(solution, new URL(url), usual);
  };

  test.each([
    ['https://x.example/a/1', ' k000100032 ', 'K000100032'],
    ['https://x.example/a/1', 'The article', 'The article'],
    ['https://x.example/a/K000100032', ' ', 'K000100032'],
    ['https://x.example/a/K000100032/b', undefined, 'K000100032'],
    ['https://x.example/a?id=K000100032', undefined, 'K000100032'],
    ['https://x.example/a#K000100032', undefined, 'K000100032'],
    ['https://x.example/a/b/', undefined, 'b'],
    ['https://x.example/', undefined, 'x.example'],
    ['https://x.example/%C3%A4b', undefined, 'äb'],
    ['https://x.example/%20', undefined, '%20'],
    ['https://x.example/a%E2%80%AEb', undefined, 'a%E2%80%AEb'],
    ['https://x.example/%ZZ', undefined, '%ZZ'],
  ])('%s with the id %j is called %s', (url, id, name) => {
    expect(label(url, id)).toBe(name);
  });

  test('names its host where that is not the one of most others', () => {
    const hosts = ['a.example', 'b.example', 'b.example'];
    const usual = usualHostOf(hosts.map((host) => article('K1', host)));
    expect(hosts.map((host) => label(`https://${host}/1`, 'K1', usual))).toEqual([
      'a.example: K1',
      'K1',
      'K1',
    ]);
    expect(usualHostOf([{ url: 'ftp://c.example/' }])).toBeUndefined();
  });
});

describe('The links of a hit', () => {
  const labelsOf = (...solutions: Parameters<typeof linksOf>[0]) => {
    const { buttons, rows, more } = linksOf(solutions, undefined);
    return [buttons.map(({ text }) => text.text), rows, more];
  };

  test('are the first two, but for those that are too long for a message', () => {
    expect(labelsOf(LONG, article('A1'), article('A2'))).toEqual([['A1'], 1, 2]);
    expect(labelsOf(article('A1'), article('A2'), article('A3'))).toEqual([['A1', 'A2'], 1, 1]);
  });

  test('take a second row where one has no room for their labels', () => {
    expect(labelsOf(article('A'.repeat(11)), article('B'.repeat(11)))[1]).toBe(1);
    expect(labelsOf(article('A'.repeat(12)), article('B'.repeat(11)))[1]).toBe(2);
  });

  test.each<[number, number, boolean, string, string]>([
    [0, 0, false, 'Details', 'Details: One two'],
    [0, 0, true, 'Details · evidence', 'Details · evidence: One two'],
    [1, 1, true, 'Details · evidence · +1', 'Details · evidence · +1: One two, 1 more article'],
    [2, 0, true, 'Details', 'Details: One two, evidence'],
    [2, 2, true, 'Details · +2', 'Details · +2: One two, evidence, 2 more articles'],
  ])('%i and %i more: what “Details” says beside them', (shown, more, hasEvidence, label, spoken) => {
    const { buttons } = linksOf(
      Array.from({ length: shown }, (_, at) => article(`A${at}`)),
      undefined,
    );
    const button = detailsButton('One\ntwo', hasEvidence, { buttons, rows: 1, more }, 'v');
    expect([button.text.text, button.accessibility_label]).toEqual([label, spoken]);
  });

  test('are counted aloud after a title that is cut', () => {
    const { accessibility_label: spoken = '' } = detailsButton(
      'x'.repeat(200),
      false,
      { buttons: [], rows: 1, more: 3 },
      'v',
    );
    expect(spoken).toHaveLength(LIMITS.buttonText);
    expect(spoken.endsWith('…, 3 more articles')).toBe(true);
  });
});
