import fc from 'fast-check';
import { anyCharacter } from '../support/hostile-text.ts';

/**
 * Texts that often break parsers: brackets, terminators, numbers at the limits, direction marks, unpaired surrogates.
 */
const INTERESTING = [
  ...'< > </ /> <!-- --> <![CDATA[ ]]> <? & &amp; &#0; &#x110000;'.split(' '),
  ...['<!DOCTYPE x [', '', ' ', '\n', '\t', '\0', '\u202e', '\u200b', '\ud800', '\udc00', '😀', '\ufdfa'],
  ...String.raw`" ' \ \" { } [ ] : , null true -1 1e999 0 99999999999999999999`.split(' '),
  ...'__proto__ constructor toString <!channel> <@U0ANA> <https://x.example/1|2>'.split(' '),
  ...'26808463 hit compare % %00 .. .'.split(' '),
];

type Edit = readonly [at: number, remove: number, insert: string];

const edit: fc.Arbitrary<Edit> = fc.tuple(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.nat(12),
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...INTERESTING) },
    { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 8 }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...INTERESTING), fc.nat(300))
        .map(([text, times]) => text.repeat(times)),
    },
  ),
);

/** Variants of these texts, with parts removed and others inserted. */
export function mutated(seeds: readonly string[]): fc.Arbitrary<string> {
  return fc.tuple(fc.constantFrom(...seeds), fc.array(edit, { maxLength: 6 })).map(([seed, edits]) =>
    edits.reduce((text, [where, remove, insert]) => {
      const at = Math.floor(where * text.length);
      return text.slice(0, at) + insert + text.slice(at + remove);
    }, seed),
  );
}
