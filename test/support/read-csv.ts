/** Reads a CSV file with a byte order mark (RFC 4180), including quotes and line breaks in cells. */
export function readCsv(text: string): string[][] {
  if (!text.startsWith('\ufeff')) throw new Error('no byte order mark');
  const rows: string[][] = [[]];
  let rest = text.slice(1);
  while (rest !== '') {
    const [whole = '', quoted, plain, end] = CELL.exec(rest) ?? [];
    if (whole === '') throw new Error(`no cell: ${rest.slice(0, 40)}`);
    rows.at(-1)?.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
    if (end === '\r\n' && rest !== '') rows.push([]);
  }
  return rows;
}

const CELL = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/;
