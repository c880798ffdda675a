import fc from 'fast-check';

/** Texts that try to mention, link, format, hide or break something. */
const TRICKS = [
  '<!channel>',
  '<!here|here>',
  '<!subteam^S0ONCALL>',
  '<@U0ANA>',
  '<#C0SUPPORT>',
  '@channel',
  '<https://evil.example|Open the result>',
  'https://evil.example/a?b=1&c=2',
  'mailto:ana@example.com',
  '*bold*',
  '_italic_',
  '~struck~',
  '`code`',
  '```',
  '> quote',
  ':rotating_light:',
  '&lt;!channel&gt;',
  '&amp;#39;',
  '&&&&&&&&',
  '"\\"',
  '\u202Egnp.exe\u202C',
  '\u0627\u0644\u0639\u0631\u0628\u064A\u0629',
  '\u200B\u200D\u2060\uFEFF',
  '\u{1F469}\u200D\u{1F4BB}',
  '\u{1F1E9}\u{1F1EA}',
  '\u{1F44D}\u{1F3FD}',
  'Z\u0351\u036B\u0343\u036A\u0302',
  '\uD83D',
  '\uDE00',
  '\n',
  '\r\n',
  '\t',
  ' ',
  'e.g. a word. And a sentence!',
];

const [BEFORE_SURROGATES, AFTER_SURROGATES, LAST] = [0xd7ff, 0xe000, 0x10ffff];

/** Any Unicode character. The generator of fast-check builds a table of all characters first, which takes seconds. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(
    { weight: 1, arbitrary: fc.nat({ max: BEFORE_SURROGATES }) },
    { weight: 16, arbitrary: fc.integer({ min: AFTER_SURROGATES, max: LAST }) },
  )
  .map((codePoint) => String.fromCodePoint(codePoint));

/** A single hostile text. */
const trick: fc.Arbitrary<string> = fc.constantFrom(...TRICKS);

const mixture = fc
  .array(fc.oneof(trick, fc.string({ unit: anyCharacter, maxLength: 20 })), { maxLength: 12 })
  .map((parts) => parts.join(''));

const endless = fc
  .tuple(trick, fc.integer({ min: 1, max: 8_000 }))
  .map(([part, times]) => part.repeat(times).slice(0, 300_000));

/** Text of any kind, mostly short, up to 300 KB. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 12, arbitrary: mixture },
  { weight: 2, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: endless },
);
