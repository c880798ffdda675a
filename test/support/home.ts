import { expect } from 'vitest';
import { records } from '../emulators/slack/json.ts';
import type { OpenView } from '../emulators/slack/model.ts';
import { objectsIn } from './message-parts.ts';
import type { World } from './world.ts';

/** Opens a person's Home tab; returns each line of its lists, with the URL of its link. */
export async function home(world: World, user = 'ana'): Promise<string[]> {
  return linesOf(await openHome(world, user));
}

/** Opens a person's Home tab; returns the view, whose controls a test can use. */
export async function openHome({ slack }: World, user = 'ana'): Promise<OpenView> {
  const before = slack.records.calls.filter(({ method }) => method === 'views.publish').length;
  expect(await slack.openHome(user)).toMatchObject({ acknowledged: true });
  await slack.waitFor(
    () => slack.records.calls.filter(({ method, status }) => method === 'views.publish' && status)[before],
    'the Home tab',
  );
  const view = slack.home(user);
  if (view === undefined) throw new Error('no Home tab');
  return view;
}

/** The text of each block of a view. */
export function linesOf({ view }: OpenView): string[] {
  return records(view.blocks).map((block) =>
    objectsIn(block)
      .map(({ type, text, url, fallback }) =>
        type === 'link' ? `${text} ${/p\d+/.exec(String(url))?.[0]}` : type === 'date' ? fallback : text,
      )
      .filter((text) => typeof text === 'string')
      .join(''),
  );
}
