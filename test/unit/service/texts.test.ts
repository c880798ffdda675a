import { describe, expect, test } from 'vitest';
import { readDocument } from '../../../src/service/document.ts';
import { documentAround, documentWithHit } from '../../emulators/diagnostics-service/shapes.ts';
import { SILENT } from '../../support/every-field.ts';

function hit(xml: string) {
  const [diagnostic] = readDocument(documentWithHit(xml)).diagnostics;
  if (diagnostic === undefined) throw new Error('the document has no diagnostic');
  return diagnostic;
}

function summary(xml: string): string {
  return hit(`<results><h_summary>${xml}</h_summary></results>`).summary;
}

function action(xml: string): string {
  return hit(`<results><h_action>${xml}</h_action></results>`).action;
}

function output(xml: string): readonly string[] {
  return hit(`<output>${xml}</output>`).output;
}

/** The same markup as text: escaped once, as a document that quotes HTML has it. */
function escaped(xml: string): string {
  return xml.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

describe('Elements inside a text', () => {
  test.each([
    ['Do <b>not</b> reboot', 'Do not reboot'],
    ['<b>Do</b> not <i>reboot <u>now</u></i>!', 'Do not reboot now!'],
    ['Set <unknown>a <deeper>b</deeper></unknown> first', 'Set a b first'],
    ['a<![CDATA[ b ]]>c<!-- d -->e', 'a b ce'],
  ])('%s is read in order, at every text field', (xml, text) => {
    expect(summary(xml)).toBe(text);
    expect(action(xml)).toBe(text);
    expect(hit(`<results><h_header>${xml}</h_header></results>`).title).toBe(text);
    expect(output(xml)).toEqual([text]);
    expect(hit(`<run_data><h_importance>${xml}</h_importance></run_data>`).importance).toBe(text);
    expect(
      hit(`<results><h_cve_ids><h_cve_ids>VU 1 ${xml}</h_cve_ids></h_cve_ids></results>`).cveIds,
    ).toEqual([`VU 1 ${text}`]);
    const device = `<system_information><hostname>${xml}</hostname></system_information>`;
    expect(readDocument(documentAround(`<diagnostics/>${device}`)).device.hostname).toBe(text);
    const version = `<fixedInVersions><version>${xml}</version></fixedInVersions>`;
    expect(hit(version).fixedIn).toEqual([text]);
  });
});

describe('Markup in a text', () => {
  const markup: [xml: string, text: string][] = [
    ['one<br/>two', 'one\ntwo'],
    ['Do:<ol><li>stop</li><li>start</li></ol>Done.', 'Do:\n1. stop\n2. start\nDone.'],
    ['See <a href="https://a.example/K1">the article</a>.', 'See the article (https://a.example/K1).'],
    ['<a name="x">here</a>', 'here'],
    ['<OL start="3"><LI>three</LI><LI>four</LI></OL>', '3. three\n4. four'],
  ];

  test.each(markup)('%j reads as %j, real or escaped', (xml, text) => {
    expect(summary(xml)).toBe(text);
    expect(action(xml)).toBe(text);
    expect(summary(escaped(xml))).toBe(text);
    expect(summary(escaped(escaped(xml)))).toBe(text);
    expect(summary(`<![CDATA[${xml}]]>`)).toBe(text);
  });

  test('is read in evidence too, whose columns stay', () => {
    expect(output('name   value<br/>  a      1\n<ul>\n<li>b</li><li>c</li></ul>')).toEqual([
      'name   value\n  a      1\n- b\n- c',
    ]);
    expect(output('a &lt;b&gt;bold&lt;/b&gt; word &amp;amp; more')).toEqual(['a bold word & more']);
    expect(output('a<br/>\n    b')).toEqual(['a\n    b']);
  });

  test('takes no line of its own in a title', () => {
    const header = 'A <b>title</b><br/>of <p>two</p> lines';
    expect(hit(`<results><h_header>${header}</h_header></results>`).title).toBe('A title of two lines');
  });

  test.each([
    'Error Message: Clock advanced by <number> ticks',
    'Use <b> & "quotes" with <li2>',
    'the <table> statement and the <code> of it, if 1 < 2 > 0',
    'a </b> that was never opened, <bold>',
    '<html><body><p>A page</p></body></html>',
    'HTTP::respond 200 content "<script>alert(1)</script><br>"',
    '<b data-x="1"',
  ])('%j is none, and stands as it is', (text) => {
    expect(summary(escaped(text))).toBe(text);
    expect(output(escaped(text))).toEqual([text]);
  });
});

describe('Line breaks', () => {
  test('of summaries and actions survive, their spaces do not', () => {
    const text = '\n   Do this:\r\n\t1.  Stop  it.\r2. Start it.   \n\n\n\n  Then wait. ';
    expect(summary(text)).toBe('Do this:\n1. Stop it.\n2. Start it.\n\nThen wait.');
    expect(action(text)).toBe('Do this:\n1. Stop it.\n2. Start it.\n\nThen wait.');
    expect(summary('a&#x2028;b&#x85;c&#12;d')).toBe('a\nb\nc\nd');
  });

  test('and spaces of evidence stay as they are', () => {
    expect(output('\n \n  a   b\n\n\n c\t\n ')).toEqual(['  a   b\n\n\n c']);
  });
});

describe('A literal "None"', () => {
  test.each(['None', ' none ', 'NONE\n', '<b>None</b>', 'None.', 'N/A', ' n/a.'])(
    'such as %j is absence',
    (none) => {
      const xml =
        `<output>${none}</output><run_data><h_importance>${none}</h_importance><match>${none}</match></run_data>` +
        `<results><h_header>${none}</h_header><h_name>${none}</h_name><h_summary>${none}</h_summary><h_action>${none}</h_action>` +
        `<h_cve_ids>${none}</h_cve_ids><h_cve_ids><h_cve_ids>${none}</h_cve_ids></h_cve_ids>` +
        `<h_sols><solution id="None">${none}</solution></h_sols></results>` +
        `<fixedInVersions><version>${none}</version><version><major>17</major><fix>${none}</fix></version></fixedInVersions>`;
      expect(hit(xml)).toEqual({ ...SILENT, name: 'D000162521', title: 'D000162521', fixedIn: ['17'] });
    },
  );

  test('below the heading of evidence is what was found', () => {
    const blocks = '<output>Expired:</output><output>None</output><output/><output>N/A</output>';
    expect(hit(blocks).output).toEqual(['Expired:', 'None', 'N/A']);
    expect(hit('<output>None</output><output>N/A</output>').output).toEqual([]);
  });

  test('inside a sentence is a word', () => {
    expect(summary('None of these')).toBe('None of these');
    expect(summary('There are none')).toBe('There are none');
    expect(summary('N/A for this platform')).toBe('N/A for this platform');
  });
});

describe('Entities', () => {
  test('are decoded with their semicolon only', () => {
    const query = '?id=1&amp;region=eu&amp;section=2&amp;copy=1&amp;lt=3';
    expect(summary(`See ${query} &amp;copy; &amp;amp;#39;`)).toBe(
      "See ?id=1&region=eu&section=2&copy=1&lt=3 © '",
    );
  });

  test('are decoded at most three layers deep beyond the XML', () => {
    expect(summary('&amp;amp;amp;lt;')).toBe('<');
    expect(summary('&amp;amp;amp;amp;lt;')).toBe('&lt;');
  });

  test.each([
    ['https://a.example/?id=1&amp;region=eu&amp;copy=1', 'https://a.example/?id=1&region=eu&copy=1'],
    ['https://a.example/?a=1&amp;lt;=2&amp;amp;b', 'https://a.example/?a=1&lt;=2&amp;b'],
    ['<![CDATA[https://a.example/?a=1&amp;b=2]]>', 'https://a.example/?a=1&amp;b=2'],
    [' https://a.example/&#x202E;gnp.exe\n', 'https://a.example/gnp.exe'],
    ['https://a.example/&#38;x&#61;1', 'https://a.example/&x=1'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
  ])('of the address %j are those of XML', (xml, url) => {
    expect(hit(`<results><h_sols><solution>${xml}</solution></h_sols></results>`).solutions).toEqual([
      { url },
    ]);
  });
});

test.each([
  ['\u0001\u0008\u000e\u001f\u007f\u0080\u009f\u202a\u202e\u2066\u2069', 'ab'],
  ['\u000b\u000c\r\u0085\u2028\u2029', 'a\nb'],
])('Each of %j alone is left out, or ends a line', (characters, text) => {
  for (const character of characters) {
    const code = `&amp;#${character.charCodeAt(0)};`;
    // In HTML, numbers below 160 and above 127 stand for signs of Windows.
    if (!/#1(?:2[89]|[345]\d);/.test(code)) expect(output(`a${code}b`)).toEqual([text]);
    expect(output(`a&#${character.charCodeAt(0)};b`)).toEqual([text]);
  }
});

test('Characters that steer a screen are gone, and half of a pair is replaced', () => {
  const text = 'a&#x202E;b&#x2066;c&#x7F;d&amp;#7;e&#x9B;31mf';
  expect(summary(text)).toBe('abcde31mf');
  expect(output(text)).toEqual(['abcde31mf']);
  expect(summary('a\uD83Db')).toBe('a\uFFFDb');
});
