const SYSTEM = `<sha1>d41d8cd98f00b204e9800998ecf8427e</sha1>
<system_information>
<device_chassis_serial_num>chs600777s</device_chassis_serial_num>
<hostname>edge-7.example.com</hostname>
<platform>C117</platform>
</system_information>
<version><version>17.1.3</version><product>Product</product><built>240216</built><edition>Point Release 3</edition></version>`;

/** A document around diagnostics that are given as XML. */
export function documentAround(diagnosticsXml: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<diagnostic_output>\n${diagnosticsXml}\n${SYSTEM}\n</diagnostic_output>\n`;
}

/** A document with one hit, whose children are given as XML. */
export function documentWithHit(childrenXml: string): string {
  return documentAround(
    `<diagnostics><diagnostic name="D000162521">${childrenXml}</diagnostic></diagnostics>`,
  );
}

const BOMB_LEVELS = 12;
const BOMB_ENTITIES = Array.from(
  { length: BOMB_LEVELS },
  (_, level) => `<!ENTITY lol${level + 1} "${`&lol${level};`.repeat(10)}">`,
);

/** Bodies with status 200 that are no document. The bot must refuse each at once, without using much memory. */
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
  doctype: `<!DOCTYPE diagnostic_output>${documentAround('<diagnostics/>').replace(/^<\?xml.*\?>\n/, '')}`,
  billionLaughs: `<?xml version="1.0"?>\n<!DOCTYPE diagnostic_output [<!ENTITY lol0 "lol">${BOMB_ENTITIES.join('')}]>\n<diagnostic_output><sha1>&lol${BOMB_LEVELS};</sha1></diagnostic_output>`,
  externalEntity:
    '<?xml version="1.0"?><!DOCTYPE diagnostic_output [<!ENTITY x SYSTEM "file:///etc/passwd">]><diagnostic_output><sha1>&x;</sha1></diagnostic_output>',
  deepNesting: documentAround(`${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}`),
  binary: '\u0000\u0001\u0002PK\u0003\u0004',
} as const;
