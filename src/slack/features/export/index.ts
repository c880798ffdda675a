import { exportsOf } from '../../answer/view-message.ts';
import type { Feature, MenuEntry } from '../../front/feature.ts';
import { sendFile } from '../../front/send-file.ts';
import type { ExportChoice } from './file.ts';

/** What a message shows, on all its pages, or everything that it is about, as a file. */
export const exports: Feature = {
  menu: [entry('csv'), entry('markdown'), entry('all-csv')],
  listen: () => {},
};

function entry(value: ExportChoice): MenuEntry {
  return {
    value,
    label: (model) => exportsOf(model).find((each) => each.value === value)?.label,
    may: 'post',
    // Loading it takes 10 ms, which every start would wait for.
    choose: (use) =>
      sendFile(use, async (answers) => (await import('./file.ts')).exportFile(use.state, answers, value)),
  };
}
