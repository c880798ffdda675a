import type { Diagnostic, DiagnosticsResult } from '../../src/core/diagnostics.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { textsOf } from './message-parts.ts';

/** The same result with a number of its own before each title, or before the name where there is no title. */
export function numbered(result: DiagnosticsResult): DiagnosticsResult {
  const withNumber = (diagnostic: Diagnostic, index: number): Diagnostic => {
    const field = diagnostic.title.trim() === '' ? 'name' : 'title';
    return { ...diagnostic, [field]: `⟦${index}⟧ ${diagnostic[field]}` };
  };
  return { ...result, diagnostics: result.diagnostics.map(withNumber) };
}

/** The number of a diagnostic of such a result. */
export function numberOf({ title, name }: Diagnostic): string | undefined {
  return /^⟦\d+⟧/.exec(title.trim() === '' ? name : title)?.[0];
}

/** The numbers that stand in the lists of pages, in order: of checks that passed, and of what is cleared. */
export function listed(pages: readonly Message[]): (string | undefined)[] {
  const lines = pages.flatMap(({ blocks }) => textsOf(blocks, 'text'));
  return lines.flatMap((line) => /^[✓?] (?:.* · )?(⟦\d+⟧)/s.exec(line)?.[1] ?? []);
}
