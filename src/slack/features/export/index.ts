import type { Feature } from '../../front/feature.ts';
import { sendFile } from '../../front/send-file.ts';

/** What a message is about as a table, in its thread. */
export const exports: Feature = {
  menu: [
    {
      value: 'csv',
      // Loading it takes 10 ms, which every start would wait for.
      choose: (press) =>
        sendFile(press, async (answers) => (await import('./file.ts')).exportFile(press.state, answers)),
    },
  ],
  listen: () => {},
};
