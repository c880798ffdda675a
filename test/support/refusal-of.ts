import { NotADocument } from '../../src/core/faults.ts';
import { readDocument } from '../../src/service/document.ts';

/** Why a document is refused; undefined when it is read. */
export function refusalOf(xml: string): string | undefined {
  try {
    readDocument(xml);
    return undefined;
  } catch (error) {
    if (error instanceof NotADocument) return error.reason;
    throw error;
  }
}
