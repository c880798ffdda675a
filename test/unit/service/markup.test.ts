import { describe, expect, test } from 'vitest';
import { textOf } from '../../../src/service/markup.ts';
import type { Layout } from '../../../src/service/text.ts';

function read(text: string, layout: Layout = 'lines'): string {
  return textOf({ content: [text] }, layout);
}

describe('A link', () => {
  test.each([
    ['<a href="https://x.example/">this</a>', 'this (https://x.example/)'],
    ["<a class=b HREF = 'http://x.example/'>this</a>", 'this (http://x.example/)'],
    ['<a href=" https://x.example/ ">this</a>', 'this (https://x.example/)'],
    ['<a href="https://x.example/">https://x.example/</a>', 'https://x.example/'],
    ['<a href="https://x.example/"> </a>', 'https://x.example/'],
    [
      'See https://x.example/ or <a href="https://x.example/">this</a>',
      'See https://x.example/ or this (https://x.example/)',
    ],
    ['<a href="javascript:x//https://x.example/">this</a>', 'this'],
    ['<a href="/x">this</a>', 'this'],
    ['<a>this</a>', 'this'],
    ['<a href=x>this</a>', 'this'],
    ['this</a> <a href="https://x.example/">that</a>', 'this that (https://x.example/)'],
    [
      '<a href="https://x.example/">this</a> and <a href="https://y.example/">that</a>',
      'this (https://x.example/) and that (https://y.example/)',
    ],
    [
      '<a href="https://x.example/">this <a href="https://y.example/">that</a></a>',
      'this that (https://x.example/)',
    ],
  ])('%s says its address where its words do not', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe('A list', () => {
  test.each([
    ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
    ['<ol><li>a</li><li>b</li></ol>', '1. a\n2. b'],
    ['<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>', '1. a\n  - b\n2. c'],
    ['<ol><li>a</li></ol>x<ol class=y START="2"><li>b</li><li>c</li></ol>', '1. a\nx\n2. b\n3. c'],
    ['<ol start=2><li>b</li></ol><ol start="x"><li>a</li></ol>', '2. b\n1. a'],
    ['<ol start="-1"><li>a</li></ol><ul start="7"><li>b</li></ul>', '1. a\n- b'],
    ['<ul><li><p>a</p><p>b</p></li><li>c</li></ul>', '- a\n\nb\n- c'],
    ['<ul><li>a</ul>b', '- a\nb'],
    ['<ul><li>a</li>b</ul>', '- a\nb'],
    ['x<ul><li>a</li></ul>y', 'x\n- a\ny'],
    ['<ul><li></li></ul>y', '-\ny'],
    ['<li>a</li><li>b</li>', '- a\n- b'],
    [`${'<ul>'.repeat(8)}<li>a</li>${'</ul>'.repeat(8)}b`, '- a\nb'],
    [
      `${'<ul><li>a'.repeat(7)}${'</li></ul>'.repeat(7)}`,
      ['', '  ', '    ', '      ', '        ', '        ', '        ']
        .map((indent) => `${indent}- a`)
        .join('\n'),
    ],
  ])('%s has its items on lines of their own', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe('A line', () => {
  test.each([
    ['a<br>b<br/>c<BR />d', 'a\nb\nc\nd'],
    ['a<br><br><br>b', 'a\n\nb'],
    ['<br>a<br>', 'a'],
    ['a <b> </b><br>b', 'a\nb'],
    ['a<p>b</p> <p>c</p>', 'a\n\nb\n\nc'],
    ['a<p>b', 'a\n\nb'],
    ['<div>a</div><div>b</div>', 'a\nb'],
    ['<table><tr><th>a</th><th>b</th></tr><tr><td>c</td><td>d</td></tr></table>', 'a b\nc d'],
    ['<h1>a</h1>b', 'a\nb'],
    ['the <table> statement, 1 < 2 and <me@x.example>', 'the <table> statement, 1 < 2 and <me@x.example>'],
    ['<b>a</b> and <unknown>b</unknown>', 'a and <unknown>b</unknown>'],
    ['a\rb\r\nc\u2028d\u0085e\u000bf', 'a\nb\nc\nd\ne\nf'],
    ['a  b \t c', 'a b c'],
    ['a\n\n\n\nb', 'a\n\nb'],
  ])('%j ends where its markup says', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    ['a<br>b\nc', 'a\nb\nc'],
    ['a<br>\nb', 'a\nb'],
    ['a<br> \t\nb', 'a\nb'],
    ['a<br>  b', 'a\n  b'],
    ['a<br><br><br>b', 'a\n\nb'],
    ['a<p>b</p> <p>c</p>', 'a\n\nb\n\nc'],
    ['Set the <p> parameter of <li>', 'Set the <p> parameter of <li>'],
    ['<b>a</b><li>b', 'a\n- b'],
    ['\n \n  a  b\tc\n\n\n\nd \n', '  a  b\tc\n\n\n\nd'],
  ])('of evidence, %j, keeps its columns', (text, expected) => {
    expect(read(text, 'block')).toBe(expected);
  });
});

/** Elements by what becomes of `a<name>b</name>c`. */
const ELEMENTS: readonly [names: string, text: string][] = [
  [
    'div tr table pre blockquote dl dt dd hr h1 h2 h3 h4 h5 h6 section article center address caption figure figcaption',
    'a\nb\nc',
  ],
  ['b i u em strong code tt span font sub sup a', 'abc'],
  ['td th', 'a b c'],
  [
    'script style iframe form input textarea svg object meta link img html head body unknown',
    'a<name>b</name>c',
  ],
];

test.each(ELEMENTS)('What each of the elements %s makes of the words around it: %j', (names, text) => {
  for (const name of names.split(' '))
    expect(read(`a<${name}>b</${name}>c`)).toBe(text.replaceAll('name', name));
});

test.each(
  'script style iframe form input textarea svg object meta link img html head body !doctype'.split(' '),
)('A text with a <%s> quotes a page, of which no markup is read', (name) => {
  expect(read(`<${name}> <b>a</b><br>`)).toBe(`<${name}> <b>a</b><br>`);
});

describe('A raised number', () => {
  test.each([
    ['10<sup>6</sup> bytes', '10^6 bytes'],
    ['2<sup> <b>32</b></sup>', '2 32'],
    ['2<sup><b>32</b></sup>', '2^32'],
    ['17.1.3<sup>1</sup>', '17.1.3^1'],
    ['the 1<sup>st</sup>', 'the 1st'],
    ['a note<sup>1</sup>', 'a note1'],
    ['10<sup></sup>6', '106'],
    ['<sup>1</sup>', '1'],
    ['1<br><sup>2</sup>', '1\n2'],
  ])('of %s is no digit of the number before it', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});
