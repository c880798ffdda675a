import type { Layout } from './text.ts';

/** The start or the end of an element of HTML; `start` is the number of the first item of a list. */
export type Tag = {
  readonly name: string;
  readonly isEnd: boolean;
  readonly href?: string | undefined;
  readonly start?: string | undefined;
};

/** Elements that stand on lines of their own. */
const LINES: ReadonlySet<string> = new Set(
  (
    'div tr table pre blockquote dl dt dd hr h1 h2 h3 h4 h5 h6 ' +
    'section article center address caption figure figcaption'
  ).split(' '),
);
const CELLS = new Set(['td', 'th']);
const WEB_ADDRESS = /^https?:\/\//i;
const INDENT = '  ';
/** Deeper lists are not indented further. */
const DEEPEST_INDENT = 5;
/** A line break in the text right after one that markup asks for is the same break. */
const LINE_BREAK_FIRST = /^[ \t]{0,99}\n/;
const DIGIT_FIRST = /^\d/;
const DIGIT_LAST = /\d$/;
const ITEM_NUMBER = /^\d{1,6}$/;

type List = { readonly isNumbered: boolean; count: number };

/** Writes words and markup as plain text. Every call takes time in proportion to its words, however often it is called. */
export class MarkupWriter {
  readonly #isBlock: boolean;
  readonly #parts: string[] = [];
  readonly #lists: List[] = [];
  /** Line breaks to write before the next words; two leave a blank line. */
  #breaks = 0;
  /** Whether `1. ` was just written: an item's own paragraph stays on that line. */
  #isItemStart = false;
  /** Whether raised words follow right on a digit: a raised number is no digit of that one. */
  #isRaised = false;
  /** The link that is open, and where its words begin. */
  #link: { readonly href: string; readonly from: number } | undefined;

  constructor(layout: Layout) {
    this.#isBlock = layout === 'block';
  }

  words(text: string): void {
    if (text === '') return;
    if (this.#breaks === 0 && !this.#isItemStart) {
      this.#parts.push(this.#isRaised && DIGIT_FIRST.test(text) ? `^${text}` : text);
      this.#isRaised = false;
      return;
    }
    const rest = this.#isBlock ? text.replace(LINE_BREAK_FIRST, '') : text.trimStart();
    if (rest.trim() === '') return;
    this.#write(rest);
    this.#isItemStart = false;
  }

  tag({ name, isEnd, href, start }: Tag): void {
    if (name === 'br') this.#break(isEnd ? 0 : Math.min(this.#breaks + 1, 2));
    else if (name === 'p') this.#break(2);
    else if (name === 'ul' || name === 'ol') this.#list(name === 'ol', isEnd, start);
    else if (name === 'li') this.#item(isEnd);
    else if (name === 'a') this.#anchor(isEnd, href);
    else if (name === 'sup') this.#isRaised = !isEnd && DIGIT_LAST.test(this.#parts.at(-1) ?? '');
    else if (CELLS.has(name)) this.words(' ');
    else if (LINES.has(name)) this.#break(1);
  }

  text(): string {
    return this.#parts.join('');
  }

  #write(text: string): void {
    if (this.#parts.length > 0 && this.#breaks > 0) this.#parts.push('\n'.repeat(this.#breaks));
    this.#breaks = 0;
    this.#parts.push(text);
  }

  #break(count: number): void {
    if (this.#isItemStart || count === 0) return;
    if (this.#breaks === 0) this.#trimEnd();
    this.#breaks = Math.max(this.#breaks, count);
  }

  #trimEnd(): void {
    for (let last = this.#parts.pop(); last !== undefined; last = this.#parts.pop()) {
      const trimmed = last.trimEnd();
      if (trimmed === '') continue;
      this.#parts.push(trimmed);
      return;
    }
  }

  #list(isNumbered: boolean, isEnd: boolean, start = ''): void {
    this.#endItem();
    if (isEnd) this.#lists.pop();
    else this.#lists.push({ isNumbered, count: ITEM_NUMBER.test(start) ? Number(start) - 1 : 0 });
  }

  #item(isEnd: boolean): void {
    this.#endItem();
    if (isEnd) return;
    // Breaks in an item do not part it from the next one.
    this.#breaks = 1;
    const list = this.#lists.at(-1) ?? { isNumbered: false, count: 0 };
    list.count += 1;
    const depth = INDENT.repeat(Math.max(Math.min(this.#lists.length, DEEPEST_INDENT) - 1, 0));
    this.#write(`${depth}${list.isNumbered ? `${list.count}.` : '-'} `);
    this.#isItemStart = true;
  }

  #endItem(): void {
    this.#isItemStart = false;
    this.#break(1);
  }

  /** The address of a link is written at its end, unless the words of the link contain it. */
  #anchor(isEnd: boolean, href = ''): void {
    const link = this.#link;
    if (!isEnd) {
      this.#link ??= { href: href.trim(), from: this.#parts.length };
      return;
    }
    this.#link = undefined;
    if (link === undefined || !WEB_ADDRESS.test(link.href)) return;
    const label = this.#parts.slice(link.from).join('').trim();
    if (!label.includes(link.href)) this.words(label === '' ? link.href : ` (${link.href})`);
  }
}
