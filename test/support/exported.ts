import { records, string } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { chooseMore } from './clicking.ts';
import { SUPPORT } from './conversation.ts';
import type { World } from './world.ts';

/** Waits for a message with a file whose name begins with `start`. Returns the message and the file's content. */
export async function exported(
  { slack }: World,
  start: string,
  channel = SUPPORT,
  viewer = 'ben',
): Promise<{ message: VisibleMessage; text: string }> {
  const filesOf = ({ extras }: VisibleMessage) => records(extras?.files);
  const message = await slack.waitFor(
    () =>
      slack
        .messages(channel, viewer)
        .find((each) => filesOf(each).some((file) => string(file.name).startsWith(start))),
    `a message with the file ${start}`,
  );
  const response = await fetch(string(filesOf(message)[0]?.url_private_download));
  return { message, text: Buffer.from(await response.arrayBuffer()).toString('utf8') };
}

/** Exports a message, and returns the CSV table. */
export async function fileOf(world: World, message: VisibleMessage, start: string): Promise<string> {
  await chooseMore(world, message, 'Export as CSV');
  for (const view of world.slack.modals('ben')) await world.slack.closeView(view);
  return (await exported(world, start)).text;
}
