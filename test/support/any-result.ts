import fc from 'fast-check';
import {
  type Diagnostic,
  type DiagnosticsResult,
  type Solution,
  solutionsOnce,
} from '../../src/core/diagnostics.ts';
import { FIELDS } from './every-field.ts';
import { hostileText, shortHostileText } from './hostile-text.ts';

const url = fc.oneof(
  fc.constantFrom(
    'https://support.acme.example/s/article/K000162521',
    'http://support.acme.example/s/article/%E2%80%AEK1?a=1&b=2#part "quoted"',
    'https://user:secret@support.acme.example/K1|Click>here<!channel>',
    'https://b\u00FCcher.example/\u{1F4D6}',
    'https://support.acme.example/%20',
    'https://support.acme.example/%ZZ',
    `https://support.acme.example/K1?long=${'&'.repeat(2_900)}`,
    `https://support.acme.example/K1?long=${'a'.repeat(5_000)}`,
    'javascript:alert(1)//https://support.acme.example/',
    'ftp://support.acme.example/K1',
    'data:text/html,<script>alert(1)</script>',
    '//support.acme.example/K1',
    'K000162521',
    '',
  ),
  shortHostileText,
);

function solution(text: fc.Arbitrary<string>): fc.Arbitrary<Solution> {
  return fc.oneof(fc.record({ url }), fc.record({ url, id: text }));
}

const manyBlocks = fc.constant(Array.from({ length: 300 }, (_, index) => `block ${index + 1} of 300`));

/** A diagnostic with texts of this kind. */
function diagnostic(text: fc.Arbitrary<string>): fc.Arbitrary<Diagnostic> {
  const each = Object.entries(FIELDS).map(([name, { saying }]) => [name, text.map<unknown>(saying)] as const);
  const some = fc.uniqueArray(text, { maxLength: 8 });
  const isMatchUnstated = fc.boolean();
  const fields = fc.record({
    ...(Object.fromEntries(each) as {
      [Name in keyof Diagnostic]-?: fc.Arbitrary<Required<Diagnostic>[Name]>;
    }),
    isMatchUnstated,
    name: fc.oneof(fc.constant('D000162521'), text),
    match: fc.constantFrom('hit', 'miss'),
    importance: fc.oneof(fc.constantFrom('CRITICAL', 'HIGH', 'medium ', 'LOW', '', 'Catastrophic'), text),
    output: fc.oneof(
      { weight: 6, arbitrary: fc.array(text, { maxLength: 4 }) },
      { weight: 1, arbitrary: manyBlocks },
    ),
    solutions: fc.array(solution(text), { maxLength: 8 }).map(solutionsOnce),
    cveIds: some,
    fixedIn: some,
  });
  return fields.map(({ isMatchUnstated: isUnstated, ...one }) =>
    isUnstated && one.match === 'hit' ? { ...one, isMatchUnstated: true } : one,
  );
}

function resultOf(
  diagnostics: fc.Arbitrary<Diagnostic[]>,
  text: fc.Arbitrary<string>,
): fc.Arbitrary<DiagnosticsResult> {
  return fc.record({
    sha1: text,
    device: fc.record({ hostname: text, chassisSerial: text, platform: text }),
    software: fc.record({ product: text, version: text, edition: text, built: text }),
    stated: fc.record({ hits: fc.nat(), misses: fc.nat() }, { requiredKeys: [] }),
    diagnostics,
  });
}

/** A result with up to 30 diagnostics, whose texts are of any kind and length. */
export const anyResult: fc.Arbitrary<DiagnosticsResult> = resultOf(
  fc.array(diagnostic(hostileText), { maxLength: 30 }),
  hostileText,
);

/** A result with 2,000 diagnostics of a few kinds. */
export const hugeResult: fc.Arbitrary<DiagnosticsResult> = resultOf(
  fc
    .array(diagnostic(shortHostileText), { minLength: 20, maxLength: 20 })
    .map((kinds) =>
      Array.from({ length: 100 }, (_, round) =>
        kinds.map((kind) => ({ ...kind, name: `${round} ${kind.name}` })),
      ).flat(),
    ),
  shortHostileText,
);
