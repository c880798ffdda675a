/** How many characters one line of a message holds on a phone, as measured: plain, in bold, and in a header. */
export type Phone = { readonly line: number; readonly bold: number; readonly header: number };

/** 390 px wide. */
export const PHONE: Phone = { line: 40, bold: 37, header: 24 };
/** 360 px wide. */
const SMALL_PHONE: Phone = { line: 36, bold: 33, header: 22 };
/** The phones that a page is made for, the usual one first. */
export const PHONES = [PHONE, SMALL_PHONE] as const;

/** Characters as wide as two letters: those of the scripts of East Asia, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\u{1f300}-\u{1faff}]/gu;

/** How many lines a text takes where each holds `perLine` characters and words stay whole; 0 for no text. */
export function linesOf(text: string, perLine = PHONE.line): number {
  return text === '' ? 0 : text.split('\n').reduce((sum, line) => sum + wrapped(line, perLine), 0);
}

function wrapped(line: string, perLine: number): number {
  const hasWide = line.search(WIDE) !== -1;
  if (!hasWide && line.length <= perLine) return 1;
  let lines = 1;
  let used = 0;
  for (const word of line.split(' ')) {
    const width = word.length + (hasWide ? (word.match(WIDE)?.length ?? 0) : 0);
    if (used > 0 && used + 1 + width > perLine) {
      lines += 1;
      used = 0;
    }
    const total = used + (used > 0 ? 1 : 0) + width;
    // A word that is longer than a line is broken.
    lines += Math.max(0, Math.ceil(total / perLine) - 1);
    used = total > perLine ? total % perLine || perLine : total;
  }
  return lines;
}
