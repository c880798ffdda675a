const ASCII = /^\p{ASCII}*$/u;
/** Accents, and what nobody sees: soft hyphens, joiners, marks of direction. */
const UNSEEN = /[\p{M}\p{Cf}]+/gu;
const DASHES = /[\p{Pd}\u2212]/gu;
const SPACES = /\s+/g;

/**
 * A text as it is compared with what a person typed: without case and accents, every dash a hyphen, every run of
 * white space one space. Takes time linear in the length.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase().replace(SPACES, ' ');
  const plain = text.normalize('NFKD').replace(UNSEEN, '').replace(DASHES, '-');
  // Upper case first: it makes one of the letters that have two lower-case forms, and two of ß.
  return plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ').replace(SPACES, ' ');
}

/** A text without this has single spaces only, as most have. */
const UNEVEN = /[^\S ]| {2}/;

/** The text on one line: every run of white space is one space, and none is at the ends. */
export function oneLine(text: string): string {
  return (UNEVEN.test(text) ? text.replace(SPACES, ' ') : text).trim();
}
