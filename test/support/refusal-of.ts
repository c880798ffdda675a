import { isFault } from '../../src/core/faults.ts';
import { readDocument } from '../../src/service/document.ts';

/** Why a document is refused; undefined if it can be read. */
export function refusalOf(xml: string): string | undefined {
  try {
    readDocument(xml);
    return undefined;
  } catch (error) {
    if (isFault(error, 'not-a-document')) return error.reason;
    throw error;
  }
}
