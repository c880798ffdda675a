const SYSTEM = `<sha1>d41d8cd98f00b204e9800998ecf8427e</sha1>
<system_information>
<device_chassis_serial_num>chs600777s</device_chassis_serial_num>
<hostname>edge-7.example.com</hostname>
<platform>C117</platform>
</system_information>
<version><version>17.1.3</version><product>Product</product><built>240216</built><edition>Point Release 3</edition></version>`;

/** A result with everything but diagnostics, which are given as XML. */
export function documentAround(diagnosticsXml: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<diagnostic_output>\n${diagnosticsXml}\n${SYSTEM}\n</diagnostic_output>\n`;
}

/** A result with one hit, whose children are given as XML. */
export function documentWithHit(childrenXml: string): string {
  return documentAround(
    `<diagnostics><diagnostic name="D000162521">${childrenXml}</diagnostic></diagnostics>`,
  );
}

const RUN_DATA = '<run_data><h_importance>MEDIUM</h_importance><match>true</match></run_data>';

function results(xml: string): string {
  return documentWithHit(
    `${RUN_DATA}<results><h_header>A header</h_header><h_summary>A summary</h_summary>${xml}</results>`,
  );
}

function withSummary(xml: string): string {
  return documentWithHit(`${RUN_DATA}<results><h_summary>${xml}</h_summary></results>`);
}

const BOMB_LEVELS = 12;
const BOMB_ENTITIES = Array.from(
  { length: BOMB_LEVELS },
  (_, level) => `<!ENTITY lol${level + 1} "${`&lol${level};`.repeat(10)}">`,
);

/** Results that are unusual but good (specification 2.3: every multiplicity). */
export const GOOD_SHAPES = {
  emptyDiagnostics: documentAround('<diagnostics/>'),
  openDiagnostics: documentAround('<diagnostics>\n</diagnostics>'),
  countedDiagnostics: documentAround(
    '<diagnostics hit_count="0" miss_count="247" filter="hit"></diagnostics>',
  ),
  emptyDiagnostic: documentAround('<diagnostics><diagnostic/></diagnostics>'),
  actions: results('<h_action>Upgrade the device.</h_action>'),
  otherName: results('<h_name>H770025-1</h_name>'),
  passedCheck: documentWithHit(
    '<run_data><h_importance>MEDIUM</h_importance><match>false</match></run_data>',
  ),
  emptySolutions: results('<h_sols/>'),
  openEmptySolutions: results('<h_sols></h_sols>'),
  absentSolutions: results(''),
  oneSolution: results('<h_sols><solution>https://support.acme.example/s/article/K1</solution></h_sols>'),
  manySolutions: results(
    '<h_sols><solution id="K1">https://support.acme.example/s/article/K1</solution><solution/><solution id="K2">https://support.acme.example/s/article/K2</solution></h_sols>',
  ),
  absentRunData: documentWithHit('<results><h_header>A header</h_header></results>'),
  emptyRunData: documentWithHit('<run_data/><results><h_header>A header</h_header></results>'),
  absentResults: documentWithHit(RUN_DATA),
  emptyResults: documentWithHit(`${RUN_DATA}<results/>`),
  noOutput: documentWithHit(RUN_DATA),
  emptyOutput: documentWithHit(`<output/>${RUN_DATA}`),
  oneOutput: documentWithHit(`<output>first</output>${RUN_DATA}`),
  manyOutputs: documentWithHit(
    `<output>first</output><output/><output>  third,\twith\n  space  </output>${RUN_DATA}<output>fourth</output>`,
  ),
  numericTexts: documentWithHit(`<output>007</output><output>1e3</output><output>0x1F</output>${RUN_DATA}`),
  unshownElements: results(
    '<h_notes>Also <i id="K1">CVE-2026-10003</i></h_notes><h_header>Another header</h_header><h_sols>K2</h_sols>',
  ),
  otherCveItems: results('<h_cve_ids><cve>CVE-2026-10001</cve><cve>CVE-2026-10002</cve></h_cve_ids>'),
  noCveIds: results('<h_cve_ids/>'),
  oneCveId: results('<h_cve_ids><h_cve_ids>CVE-2026-10001</h_cve_ids></h_cve_ids>'),
  manyCveIds: results(
    '<h_cve_ids><h_cve_ids>CVE-2026-10001</h_cve_ids><h_cve_ids>CVE-2026-10002</h_cve_ids></h_cve_ids>',
  ),
  fixedInVersions: documentWithHit(
    `<fixedInVersions><version><major>17</major><minor>1</minor><maintenance>3</maintenance><point>4</point><fix/></version><version><major>16</major><minor/></version></fixedInVersions>${RUN_DATA}`,
  ),
  noFixedInVersions: documentWithHit(`<fixedInVersions/>${RUN_DATA}`),
  /** After decoding the XML alone, these read `&lsquo;`, `&#39;`, `&amp;#39;`, `&amp;#8217;` and `&amp;amp;#8217;`. */
  entities: withSummary('&amp;lsquo; &amp;#39; &amp;amp;#39; &amp;amp;#8217; &amp;amp;amp;#8217;'),
  cdata: withSummary('<![CDATA[Use <b> & "quotes" with &amp;amp; care]]> and more'),
  comments: withSummary('before<!-- a comment -->after'),
  numericReferences: withSummary('&#65;&#x1F6A8;&#13;&#10;'),
  byteOrderMark: `\uFEFF${documentAround('<diagnostics/>')}`,
  noDeclaration: documentAround('<diagnostics/>').replace(/^<\?xml.*\?>\n/, ''),
  unknownElements: documentAround('<diagnostics/><future><is>here</is></future>').replace(
    '<diagnostic_output>',
    '<diagnostic_output schema="2">',
  ),
  repeatedDiagnosticNames: documentAround(
    `<diagnostics><diagnostic name="H00040234">${RUN_DATA}</diagnostic><diagnostic name="H00040234">${RUN_DATA}</diagnostic></diagnostics>`,
  ),
  prototypeNames: documentWithHit(
    `${RUN_DATA}<__proto__><polluted>yes</polluted></__proto__><constructor>x</constructor><results><toString>y</toString></results>`,
  ),
} as const;

/** Bodies of a 200 that are no result: each has to be refused, at once and without growing. */
export const BAD_SHAPES = {
  empty: '',
  blank: ' \n\t',
  plainText: 'Service temporarily busy, try again later.',
  signInPage:
    '<!DOCTYPE html>\n<html lang="en"><head><title>Sign in</title><meta charset="utf-8"></head><body><form><input name="user_id"><br></form></body></html>',
  json: '{"diagnostic_output":{"diagnostics":[]}}',
  wrongRoot: '<?xml version="1.0"?><diagnostics><diagnostic name="D1"/></diagnostics>',
  wrongRootInside: '<answer><diagnostic_output><diagnostics/></diagnostic_output></answer>',
  absentDiagnostics: documentAround(''),
  errorInstead: documentAround('<error>The analysis failed.</error>'),
  textInsteadOfChecks: documentAround('<diagnostics>The analysis failed.</diagnostics>'),
  errorInsteadOfChecks: documentAround('<diagnostics><error>The analysis failed.</error></diagnostics>'),
  errorBesideNoChecks: documentAround('<diagnostics/><error code="7"/>'),
  emptyRoot: '<diagnostic_output/>',
  twoRoots: '<diagnostic_output/><diagnostic_output/>',
  truncatedInTag: documentAround('<diagnostics/>').slice(0, -9),
  truncatedInText: documentWithHit('<output>first</output>').slice(0, 113),
  truncatedAfterStart: '<?xml version="1.0"?><diagnostic_output><diagnostics>',
  unclosedTag: documentAround('<diagnostics><diagnostic></diagnostics>'),
  crossedTags: documentAround('<diagnostics><diagnostic><output></diagnostic></output></diagnostics>'),
  doctype: `<!DOCTYPE diagnostic_output>${documentAround('<diagnostics/>').replace(/^<\?xml.*\?>\n/, '')}`,
  billionLaughs: `<?xml version="1.0"?>\n<!DOCTYPE diagnostic_output [<!ENTITY lol0 "lol">${BOMB_ENTITIES.join('')}]>\n<diagnostic_output><sha1>&lol${BOMB_LEVELS};</sha1></diagnostic_output>`,
  externalEntity:
    '<?xml version="1.0"?><!DOCTYPE diagnostic_output [<!ENTITY x SYSTEM "file:///etc/passwd">]><diagnostic_output><sha1>&x;</sha1></diagnostic_output>',
  deepNesting: documentAround(`${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}`),
  binary: '\u0000\u0001\u0002PK\u0003\u0004',
} as const;
