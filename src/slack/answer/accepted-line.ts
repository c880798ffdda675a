import type { Acceptance } from '../../core/comparing.ts';
import { utcText } from '../../core/time.ts';
import { day, type RichElement, words } from '../block-kit/blocks.ts';
import { shorten } from '../block-kit/limits.ts';

/** Opens the form in which a hit is accepted. */
export const ACCEPT_ACTION = 'hit-accept';
export const TAKE_BACK_ACTION = 'hit-take-back';

const LONGEST_NAME = 40;

/** `Accepted by ana until Feb 1: maintenance window booked`. The name and the reason are text, and mention nobody. */
export function acceptedLine({ userName, until, release, reason }: Acceptance): RichElement[] {
  const begin = `Accepted by ${shorten(userName, LONGEST_NAME)} `;
  const end = release === undefined ? 'until' : 'until the next release, at the latest';
  return [words(begin, GREY), { ...day(until, end), style: GREY }, words(`: ${reason}`, GREY)];
}

/** The same for a text without formatting, inside a sentence. */
export function acceptedText({ userName, until, release, reason }: Acceptance): string {
  const end = release === undefined ? 'until' : 'until the next release, at the latest';
  return `accepted by ${shorten(userName, LONGEST_NAME)} ${end} ${utcText(until).slice(0, 10)}: ${reason}`;
}

const GREY = { italic: true };

/** What is said of `accepted` among all hits, after their number: ` (3 accepted)`; or ''. */
export function acceptedWords(accepted: number, hits: number): string {
  if (accepted === 0) return '';
  if (hits === 1) return ' (accepted)';
  return ` (${accepted === hits ? 'all' : accepted} accepted)`;
}
