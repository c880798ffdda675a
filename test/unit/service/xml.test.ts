import { expect, test } from 'vitest';
import { NotADocument } from '../../../src/core/faults.ts';
import { parseXml } from '../../../src/service/xml.ts';

const PLENTY = { elements: 100, diagnostics: 100 };

function read(xml: string) {
  return parseXml(xml, 'a', PLENTY);
}

test('An element has its attributes, and its texts and elements in their order', () => {
  expect(read('<a x="1 &amp; &#50;" y=""> b<c/>d<!-- e -->f<![CDATA[<&amp;>]]><g>h</g>\n</a>')).toEqual({
    name: 'a',
    attributes: { x: '1 & 2', y: '' },
    content: [
      ' b',
      { name: 'c', attributes: {}, content: [] },
      'df<&amp;>',
      { name: 'g', attributes: {}, content: ['h'] },
      '\n',
    ],
  });
});

test('Names that belong to the language get another', () => {
  const { content, attributes } = read(
    '<x:a xmlns:x="y" b="1" constructor="2" x:prototype="3"><c/><prototype/><__proto__/><x:constructor/></x:a>',
  );
  expect(content).toMatchObject([
    { name: 'c' },
    { name: 'prototype.' },
    { name: '__proto__.' },
    { name: 'constructor.' },
  ]);
  expect(attributes).toMatchObject({ b: '1', 'constructor.': '2', 'prototype.': '3' });
});

test.each([
  '<x:a xmlns:x="u"><x:b x:c="1"/><b c="1"/><y:b xmlns:y="v" c="1"/></x:a>',
  '<a xmlns="u"><b c="1"/><b xmlns="" c="1"/><x:b xmlns:x="u" y:c="1"/></a>',
])('Namespaces are left out, and so are their prefixes: %s', (xml) => {
  const b = { name: 'b', attributes: { c: '1' } };
  expect(read(xml).content).toMatchObject([b, b, b]);
});

test.each(['constructor', 'prototype', '__proto__'])(
  'An element named %s alone gets another name',
  (name) => {
    expect(read(`<a><${name}/></a>`).content).toMatchObject([{ name: `${name}.` }]);
    expect(Object.keys(read(`<a ${name}="1"/>`).attributes)).toEqual([`${name}.`]);
  },
);

test('What is broken says where, for the log', () => {
  expect(() => read('<a>\n<b></a>')).toThrow(
    expect.objectContaining({
      reason: 'broken',
      cause: expect.objectContaining({ message: 'InvalidTag in line 2' }),
    }),
  );
});

test.each<[xml: string, limits: { elements?: number; diagnostics?: number }, code: string | undefined]>([
  ['<a><c/><c/><c/></a>', { elements: 4 }, undefined],
  ['<a><c/><c/><c/><c/></a>', { elements: 4 }, 'too-large'],
  ['<a><diagnostic/><diagnostic/></a>', { diagnostics: 2 }, undefined],
  ['<a><diagnostic/><x:diagnostic/><diagnostic/></a>', { diagnostics: 2 }, 'too-many-diagnostics'],
  ['<a>diagnostic diagnostic diagnostic<!-- <diagnostic/> --></a>', { diagnostics: 0 }, undefined],
])('Elements are counted, in total and diagnostics apart: %s, at most %j', (xml, limits, code) => {
  const parse = () => parseXml(xml, 'a', { ...PLENTY, ...limits });
  if (code === undefined) expect(parse().name).toBe('a');
  else expect(parse).toThrow(expect.objectContaining({ code }));
});

test('An empty CDATA section, one alone, and text around it are text', () => {
  expect(read('<a><![CDATA[]]></a>').content.join('')).toBe('');
  expect(read('<a>b<![CDATA[]]>c</a>').content).toEqual(['bc']);
  expect(read('<a><![CDATA[ ]]><![CDATA[b]]></a>').content).toEqual([' b']);
});

test('Elements may nest as deep as others let them, and not as deep as it takes to harm', () => {
  const nested = (depth: number) => `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
  const plenty = { ...PLENTY, elements: 1_000 };
  expect(parseXml(nested(250), 'a', plenty).name).toBe('a');
  expect(() => parseXml(nested(260), 'a', plenty)).toThrow(NotADocument);
});
