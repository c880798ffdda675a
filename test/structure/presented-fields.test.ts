import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../src/core/diagnostics.ts';
import { search } from '../../src/core/searching.ts';
import { readDocument } from '../../src/service/document.ts';
import { modelOf } from '../../src/slack/answer/result-model.ts';
import { viewMessage } from '../../src/slack/answer/view-message.ts';
import type { ViewState } from '../../src/slack/blocks/action-values.ts';
import { detailsModal } from '../../src/slack/features/details/window.ts';
import { documentXml } from '../emulators/diagnostics-service/document.ts';
import { realisticDocument } from '../emulators/diagnostics-service/shelf/scenarios.ts';
import { aDiagnostic, aResult } from '../support/a-diagnostic.ts';
import { FIELDS, type Presenter, SILENT } from '../support/every-field.ts';
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

function exported(choice: 'csv' | 'case') {
  return (diagnostic: Diagnostic) => fileOf(VIEW, answersWith(diagnostic), choice);
}

/** What shows a whole diagnostic, each as text. */
const PRESENTERS: Readonly<Record<Presenter, (diagnostic: Diagnostic) => string | Promise<string>>> = {
  message: (diagnostic) => JSON.stringify(viewMessage(VIEW, answersWith(diagnostic)).blocks),
  details: (diagnostic) =>
    JSON.stringify(
      detailsModal({
        model: modelOf(VIEW, answersWith(diagnostic)),
        index: 0,
        part: 0,
        sharing: 'impossible',
      }),
    ),
  CSV: exported('csv'),
  'text for the case': exported('case'),
  search: async (diagnostic) => ((await search([diagnostic], [TEXT])).matches.has(diagnostic) ? TEXT : ''),
};

const CASES = Object.entries(FIELDS).flatMap(([name, { saying, leftOut }]) =>
  (Object.keys(PRESENTERS) as Presenter[])
    // A check that passed has no window of its own.
    .filter((presenter) => name !== 'match' || presenter !== 'details')
    .map((presenter) => ({
      ...{ name, presenter, filled: { [name]: saying(TEXT) } },
      why: leftOut?.[presenter],
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
const IN_DEMO = (Object.keys(FIELDS) as (keyof Diagnostic)[]).filter((name) => name !== 'isMatchUnstated');

test.each(IN_DEMO)('The %s of a diagnostic is in the documents of the demo', (name) => {
  expect(DEMO.diagnostics.some((one) => !isDeepStrictEqual(one[name], SILENT[name]))).toBe(true);
});

test('Every field of the device and its software is there too', () => {
  const { sha1, device, software } = DEMO;
  expect(Object.values({ sha1, ...device, ...software })).not.toContain('');
});
