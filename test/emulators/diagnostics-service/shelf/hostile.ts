import type { DocumentDiagnostic, SnapshotDocument } from '../document.ts';

const LONG_LINE_BYTES = 300_000;
const LONG_SUMMARY_LENGTH = 5_000;
const MENTIONS =
  '<!channel> <!here> <!everyone> <!subteam^S0123ABCD> <@U0123ABCD> <#C0123ABCD> @here @channel @everyone';
const MARKUP =
  '*bold* _italic_ ~struck~ `code` ```block``` > quote\n- list\n1. item & <https://evil.example|Open the result>';
const ENTITIES =
  '&lt;!channel&gt; &amp;lt;!channel&amp;gt; &amp;amp;lt;@U0123ABCD&amp;amp;gt; &lsquo;a&rsquo; &amp;#39; &amp;amp;#8217;';
const HTML =
  '<script>alert(1)</script><img src=x onerror=alert(2)><a href="javascript:alert(3)">link</a><!-- --><b>b</b>]]>';
const DIRECTION = 'safe\u202Egnp.exe\u202C \u2066isolated\u2069 \u200Fmark \u200E\u061C';
const INVISIBLE =
  'zero\u200Bwidth\u200C\u200D\u2060\uFEFF soft\u00ADhyphen \u2028line\u2029paragraph \u00A0no-break';
const CONTROLS = 'tab\tfeed\ncarriage\rreturn delete\u007F next\u0085line c1\u0080\u009B[31mred\u009B0m';
const EMOJI =
  ':rotating_light: :slack: \u{1F469}\u200D\u{1F4BB} \u{1F1E9}\u{1F1EA} e\u0301 Z\u0351\u036B\u0343\u036A\u0302 \u{1F6A8}';
const LONG_WORD = 'Supercali'.repeat(240);

/** Texts that try to mention, link, format, hide, overflow or break out. All of it is legal XML. */
export function hostileDocument(): SnapshotDocument {
  return {
    diagnostics: [...textDiagnostics(), ...linkDiagnostics(), ...shapeDiagnostics(), ...sizeDiagnostics()],
    sha1: '<!channel>`0c2f4a6b`',
    system: {
      chassisSerialNumber: '*chs*<!here>|`1`',
      hostname: '<!channel>.example.com\n*admin* <https://evil.example|edge-7>',
      platform: `${DIRECTION} C117`,
    },
    version: { version: '17.1.3 <@U0123ABCD>', product: '*Product*', built: '`240216`', edition: HTML },
  };
}

function hostile(name: string, more: DocumentDiagnostic): DocumentDiagnostic {
  return { name, h_name: name, match: true, importance: 'HIGH', outputs: [], solutions: [], ...more };
}

function textDiagnostics(): DocumentDiagnostic[] {
  const texts = { MENTIONS, MARKUP, ENTITIES, HTML, DIRECTION, INVISIBLE, CONTROLS, EMOJI };
  return Object.entries(texts).map(([kind, text], index) =>
    hostile(`D00099000${index + 1}`, {
      header: `${kind.toLowerCase()}: ${text}`,
      summary: text,
      action: text,
      outputs: [text, `${text}\n${text}`],
      cveIds: [text],
      fixedInVersions: [{ major: '<!here>', minor: '*1*', point: '`2`' }],
    }),
  );
}

function linkDiagnostics(): DocumentDiagnostic[] {
  const schemes = [
    'javascript:alert(document.domain)',
    'JaVaScRiPt:alert(1)//https://support.acme.example/',
    'data:text/html,<script>alert(1)</script>',
    'ftp://ftp.acme.example/K000162521.txt',
    'file:///etc/passwd',
    'slack://user?team=T1&id=U1',
    '//evil.example/K1',
    'K000162521',
    'not a url at all',
    '',
  ];
  const awkward = [
    'https://user:secret@evil.example/s/article/K000162521',
    'https://support.acme.example/s/article/K1|Click>here<!channel>',
    'http://support.acme.example/s/article/K000162522?a=1&b=2#part "quoted"',
    'https://xn--cme-5cd.example/s/article/K000162523',
    `https://support.acme.example/s/article/K000162524?long=${'a'.repeat(3_100)}`,
    '  https://support.acme.example/s/article/K000162525\n',
  ];
  return [
    hostile('D000990101', {
      header: 'Solutions that must not become links or buttons',
      summary: 'Every solution has a scheme other than http and https, or none.',
      solutions: schemes.map((url) => ({ url, id: '<!channel>' })),
    }),
    hostile('D000990102', {
      header: 'Solutions that may become links if they are written carefully',
      summary: 'Their addresses hold user names, bars, angle brackets, quotes, spaces and 3,100 characters.',
      solutions: awkward.map((url) => ({ url })),
    }),
  ];
}

function shapeDiagnostics(): DocumentDiagnostic[] {
  return [
    hostile('D000990201', {
      importance: 'Catastrophic',
      header: 'A level of importance that nobody has seen before',
      summary: 'It has to be shown as it stands, after the levels that are known.',
    }),
    hostile('D000990202', { importance: '', header: 'A level of importance that is empty', summary: '' }),
    hostile('D000990203', { importance: undefined, header: 'No level of importance, no summary' }),
    hostile('D000990204', { importance: '<!channel> *MEDIUM*', header: '', summary: 'The header is empty.' }),
    hostile('<!here> ../../etc/passwd', {
      header: 'A name that is a mention and a path',
      summary: 'See the name.',
    }),
    { match: true },
    hostile('D000990205', { match: ' TRUE ', header: 'A match in capitals, with spaces around it' }),
    hostile('D000990206', { match: 'perhaps', header: 'A match that is neither true nor false' }),
  ];
}

function sizeDiagnostics(): DocumentDiagnostic[] {
  const sentence = 'This summary is far longer than any that was ever seen. ';
  return [
    hostile('D000990301', {
      header: `A very long word: ${LONG_WORD}`,
      summary: sentence.repeat(100).slice(0, LONG_SUMMARY_LENGTH),
      action: LONG_WORD,
    }),
    hostile('D000990302', {
      header: 'One line of evidence with 300,000 characters',
      summary: 'Evidence has to be bounded, with the rest one click away.',
      outputs: [
        'x<!here>&'.repeat(LONG_LINE_BYTES).slice(0, LONG_LINE_BYTES),
        'The block after the long line.',
      ],
    }),
    hostile('D000990303', {
      header: 'Two hundred blocks of evidence',
      summary: 'Their order has to be kept.',
      outputs: Array.from({ length: 200 }, (_, index) => `block ${index + 1} of 200`),
    }),
  ];
}
