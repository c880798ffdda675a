import { describe, expect, test } from 'vitest';
import { chooseModal } from '../../../../../src/slack/features/ask/look-up.ts';
import { viewFaults } from '../../../../emulators/slack/view-checks.ts';
import { asking, listening } from '../../../../support/listening.ts';
import { textsOf } from '../../../../support/message-parts.ts';
import { snapshotId } from '../../../../support/snapshot-id.ts';

describe('The choice of a snapshot of a message', () => {
  test.each([
    ['two', 2, 26_808_461, 'Both, side by side'],
    ['three', 3, 26_808_461, 'All 3, side by side'],
    ['as many as stand side by side', 8, 26_808_461, 'All 8, side by side'],
    ['more than that', 9, 1_001, '1001'],
    ['so many that an option has no room for them', 8, 268_084_610, '268084610'],
  ])('of %s begins with all of them where they can stand side by side', (_what, count, from, expected) => {
    const ids = Array.from({ length: count }, (_, at) => snapshotId(String(from + at)));
    const view = chooseModal(ids, { channel: 'C1' });
    expect(viewFaults(view, 'modal')).toEqual([]);
    const [, first] = textsOf(view.blocks, 'plain_text');
    expect(first).toBe(expected);
  });
});

test('The form searches all checks, and lists the side that was chosen', async () => {
  const here = listening(asking);
  const field = (id: string, value: object) => ({ [id]: { [id]: value } });
  await here.submit('look-up', {
    values: {
      ...field('id', { value: '26808463' }),
      ...field('filter', { selected_option: { value: 'miss' } }),
      ...field('search-for', { value: 'tmm' }),
    },
  });
  const question = { snapshotId: '26808463', set: 'all' };
  expect(here.of('accept')).toMatchObject([[{ question, side: 'miss', search: ['tmm'] }]]);
});
