import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import { search } from '../../src/core/searching.ts';
import { readDocument } from '../../src/service/document.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import { viewMessage } from '../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../src/slack/block-kit/action-values.ts';
import { detailsModal } from '../../src/slack/features/details/window.ts';
import { documentXml } from '../emulators/diagnostics-service/document.ts';
import { GOOD_SHAPES } from '../emulators/diagnostics-service/shapes.ts';
import { realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { aDiagnostic, aResult } from '../support/a-diagnostic.ts';
import { fileOf } from '../support/file-of.ts';
import { snapshotId } from '../support/snapshot-id.ts';

const VIEW: ViewState = {
  question: { snapshotId: snapshotId('26808463'), set: 'all' },
  ...{ page: 0, askedBy: 'U0ANA', madeAt: 0, turn: 0 },
};
const TEXT = 'Marker';
const PLAIN: Partial<Diagnostic> = { title: 'A title', summary: 'A summary', action: 'An action' };

function answersWith(diagnostic: Diagnostic) {
  return { result: aResult([diagnostic]), readAt: 0 };
}

function exported(choice: 'csv' | 'markdown' | 'case') {
  return (diagnostic: Diagnostic) => fileOf(VIEW, answersWith(diagnostic), choice).file.content;
}

/** What shows a whole diagnostic, each as text. */
const PRESENTERS = {
  message: (diagnostic: Diagnostic) => JSON.stringify(viewMessage(VIEW, answersWith(diagnostic)).blocks),
  details: (diagnostic: Diagnostic) =>
    JSON.stringify(
      detailsModal({
        model: modelOf(VIEW, answersWith(diagnostic)),
        index: 0,
        part: 0,
        sharing: 'impossible',
      }),
    ),
  CSV: exported('csv'),
  Markdown: exported('markdown'),
  'text for the case': exported('case'),
  search: async (diagnostic: Diagnostic) =>
    (await search([diagnostic], [TEXT])).matches.has(diagnostic) ? TEXT : '',
};
type Presenter = keyof typeof PRESENTERS;

type Field = {
  /** The field with something in it; elsewhere it is as in `aDiagnostic`. */
  readonly filled: Partial<Diagnostic>;
  /** Who leaves it out, and why. */
  readonly leftOut?: Partial<Record<Presenter, string>>;
};

const UNKNOWN = 'nobody knows what it is';

/** Every field of a diagnostic: a new one has to be filled in here, and shown, or left out for a reason. */
const FIELDS = {
  name: {
    filled: { name: TEXT },
    leftOut: { 'text for the case': 'the customer does not know the names of diagnostics' },
  },
  otherName: {
    filled: { otherName: TEXT },
    leftOut: {
      message: 'the title says it',
      'text for the case': 'the customer does not know the names of diagnostics',
    },
  },
  match: {
    filled: { match: 'unstated' },
    leftOut: { search: '“hit” and “miss” list one side' },
  },
  importance: {
    filled: { importance: 'LOW' },
    leftOut: { search: 'a level is a filter: `26808463 low`' },
  },
  title: { filled: { title: TEXT } },
  summary: {
    filled: { summary: TEXT },
    leftOut: {
      message: 'only a critical hit, or one without an action, has it there',
      'text for the case': 'the title says it; the article explains it',
    },
  },
  action: { filled: { action: TEXT } },
  output: {
    filled: { output: [TEXT] },
    leftOut: { 'text for the case': 'the customer sees it on the device' },
  },
  solutions: { filled: { solutions: [{ url: `https://support.example.com/${TEXT}`, id: TEXT }] } },
  cveIds: { filled: { cveIds: [TEXT] } },
  fixedIn: { filled: { fixedIn: [TEXT] } },
  unshown: {
    filled: { unshown: TEXT },
    leftOut: {
      message: UNKNOWN,
      details: UNKNOWN,
      CSV: UNKNOWN,
      Markdown: UNKNOWN,
      'text for the case': UNKNOWN,
    },
  },
} as const satisfies Record<keyof Diagnostic, Field>;

const CASES = Object.entries<Field>(FIELDS).flatMap(([name, { filled, leftOut }]) =>
  Object.keys(PRESENTERS).map((presenter) => ({
    name,
    presenter: presenter as Presenter,
    filled,
    why: leftOut?.[presenter as Presenter],
  })),
);

/** Whether the text of a field is in what is shown; for a field without text, whether it makes a difference. */
async function isShown(filled: Partial<Diagnostic>, presenter: Presenter): Promise<boolean> {
  const present = PRESENTERS[presenter];
  const shown = await present(aDiagnostic({ ...PLAIN, ...filled }));
  if (JSON.stringify(filled).includes(TEXT)) return shown.includes(TEXT);
  return shown !== (await present(aDiagnostic(PLAIN)));
}

test.each(CASES.filter(({ why }) => why === undefined))(
  'The $name of a diagnostic is shown by: $presenter',
  async ({ filled, presenter }) => {
    expect(await isShown(filled, presenter)).toBe(true);
  },
);

test.each(CASES.filter(({ why }) => why !== undefined))(
  'The $name of a diagnostic is not shown by: $presenter ($why)',
  async ({ filled, presenter }) => {
    expect(await isShown(filled, presenter)).toBe(false);
  },
);

const DEMO = readDocument(documentXml(realisticDocument()));
const SHAPES = Object.values(GOOD_SHAPES).map((xml) => readDocument(xml));
/** What the reader makes of a diagnostic about which the document says nothing. */
const [SILENT] = readDocument(GOOD_SHAPES.emptyDiagnostic).diagnostics;

/** What nothing shows the demo can't show. */
const IN_DEMO = (Object.keys(FIELDS) as (keyof Diagnostic)[]).filter((name) => name !== 'unshown');

test.each(IN_DEMO)(
  'The %s of a diagnostic is in the documents of the demo, and in a shape whose reading is tested',
  (name) => {
    const isSaid = (diagnostic: Diagnostic) => !isDeepStrictEqual(diagnostic[name], SILENT?.[name]);
    expect(DEMO.diagnostics.some(isSaid)).toBe(true);
    expect(SHAPES.flatMap(({ diagnostics }) => diagnostics).some(isSaid)).toBe(true);
  },
);

test('Every field of the device and its software is in both too', () => {
  for (const { sha1, device, software } of [DEMO, ...SHAPES]) {
    const texts = Object.entries({ sha1, ...device, ...software });
    expect(texts.filter(([, text]) => text === '')).toEqual([]);
  }
});
