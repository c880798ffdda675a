import type { types } from '@slack/bolt';
import type { Filter } from '../../src/core/importance.ts';
import { type Found, readSearch, search } from '../../src/core/searching.ts';
import { readDocument } from '../../src/service/document.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import { usageMessage } from '../../src/slack/answer/usage-message.ts';
import { viewMessage } from '../../src/slack/answer/view-message.ts';
import type { Message } from '../../src/slack/blocks/blocks.ts';
import { parseCommand } from '../../src/slack/commands/parse-command.ts';
import { moreModal, searchModal } from '../../src/slack/features/controls/index.ts';
import { documentXml, type SnapshotDocument } from '../emulators/diagnostics-service/document.ts';
import { cleanDocument, realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { MENU } from './feature-parts.ts';
import { snapshotId } from './snapshot-id.ts';

const AT = Date.UTC(2026, 10, 20, 9, 30);

type Searched = {
  readonly sought: readonly string[];
  readonly found: Found;
  readonly result: ReturnType<typeof read>;
};

function read(document: SnapshotDocument) {
  return readDocument(documentXml(document));
}

async function searched(text: string, document = realisticDocument()): Promise<Searched> {
  const sought = readSearch(text);
  const result = read(document);
  return { sought, result, found: await search(result.diagnostics, sought) };
}

const onlyHits = {
  diagnostics: realisticDocument().diagnostics?.filter(({ match }) => match === true) ?? [],
};

/** The same, but that no diagnostic states whether it is a hit. */
const unstated = {
  diagnostics: realisticDocument().diagnostics?.map((each) => ({ ...each, match: 'perhaps' })) ?? [],
};

const FOUND = {
  'search-match-not-stated': await searched('CVE-2026-10000', unstated),
  'search-hit': await searched('CVE-2026-10000'),
  'search-checked': await searched('CVE-2026-10456'),
  'search-several-ids': await searched('CVE-2026-10000 CVE-2026-10456 K000999999 CVE-2020-1000'),
  'search-not-mentioned': await searched('CVE-2020-1000'),
  'search-not-mentioned-in-hits': await searched('CVE-2020-1000', onlyHits),
  'search-words': await searched('certificate'),
  'search-words-filtered': await searched('certificate'),
  'search-words-in-checks-alone': await searched('certificate', cleanDocument()),
  'search-nothing': await searched('flux "capacitor leaks"'),
};

/** What makes the message of each outcome of a search, by name. */
export function everySearch(): Record<string, () => Message> {
  const asks =
    (text: string, named = '/snapshot') =>
    () => {
      const parsed = parseCommand(text, []);
      if (parsed.kind !== 'usage') throw new Error(`${text} is a request`);
      return usageMessage(named, parsed.problem);
    };
  const found = Object.fromEntries(
    Object.entries(FOUND).map(([name, each]) => [
      name,
      () => shown(each, name === 'search-words-filtered' ? { levels: ['medium'] } : undefined),
    ]),
  );
  return {
    ...found,
    'usage-without-an-id': asks('edge-7 <@U0BEN|ben>', '@Snapshot'),
    'usage-link-without-an-id': asks('https://service.example.com/help'),
    'usage-one-id-to-compare': asks('compare 26808463'),
    'usage-three-ids-to-compare': asks('compare 26808463 26808464 26808465'),
    'usage-hit-or-miss': asks('26808463 hit miss'),
    'usage-two-ids-to-watch': asks('watch 26808463 26808464'),
    'usage-nine-ids': asks(
      '26808461 26808462 26808463 26808464 26808465 26808466 26808467 26808468 26808469',
    ),
  };
}

function shown({ sought, result, found }: Searched, filter?: Filter): Message {
  const question = { snapshotId: snapshotId('26808463'), set: 'all' } as const;
  const state = {
    question,
    search: sought,
    ...(filter && { filter }),
    page: 0,
    askedBy: 'U0ANA',
    madeAt: AT,
    turn: 0,
  };
  return viewMessage(state, { result, readAt: AT, found });
}

/** What makes the modals behind the menu of a result that ask, by name. */
export function everySearchModal(): Record<string, () => types.ModalView> {
  const question = { snapshotId: snapshotId('26808463'), set: 'all' } as const;
  const modelFor = (filter: Filter) =>
    modelOf({ question, filter }, { result: read(realisticDocument()), readAt: AT });
  const answers = { result: read(cleanDocument()), readAt: AT };
  return {
    'search-modal': () => searchModal(),
    'search-modal-again': () => searchModal(['CVE-2026-10000', 'core dump']),
    'more-modal': () => moreModal(modelFor({}), MENU),
    'more-modal-filtered': () => moreModal(modelFor({ levels: ['critical'] }), MENU),
    'more-modal-of-checks': () => moreModal({ ...modelFor({}), noun: 'check', answers }, MENU),
  };
}
