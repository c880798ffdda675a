import type { Answers } from '../../../lookups/lookup-status.ts';
import type { Feature } from '../../front/feature.ts';
import type { Interaction } from '../../front/interaction.ts';
import { withAnswers } from '../../front/reading.ts';
import { sendFile } from '../../front/send-file.ts';

/** What a message is about as a table, in its thread. */
export const exports: Feature = {
  menu: [{ value: 'csv', choose: exportTable }],
  listen: () => {},
};

async function exportTable(press: Interaction): Promise<void> {
  const { state, context, tell } = press;
  const send = async (answers: Answers) => {
    // Loading it takes 10 ms, which every start would wait for.
    const { exportFile } = await import('./file.ts');
    await sendFile(press, await exportFile(state, answers));
  };
  await withAnswers<void>(state, context, send, tell);
}
