import { records, string } from '../emulators/slack/json.ts';
import type { VisibleMessage } from '../emulators/slack/model.ts';
import { moreOf } from './clicking.ts';
import { SUPPORT } from './conversation.ts';
import type { World } from './world.ts';

/** The message that shows a file of this name, or with such a name (`snapshot-1001-hits.csv`, wherever device, filter and date stand), and what is in it, as somebody downloads it. */
export async function exported(
  { slack }: World,
  name: string,
  channel = SUPPORT,
  viewer = 'ben',
): Promise<{ message: VisibleMessage; text: string }> {
  const [, stem = '', kind = ''] = /^(.*?)-(hits|passed-checks|compared|search)?\.?\w*$/.exec(name) ?? [];
  const pattern = new RegExp(`^${stem}-.*${kind}-?.*-\\d{4}-\\d\\d-\\d\\d\\.${name.split('.').at(-1)}$`);
  const filesOf = ({ extras }: VisibleMessage) => records(extras?.files);
  const message = await slack.waitFor(
    () =>
      slack
        .messages(channel, viewer)
        .find((each) => filesOf(each).some((file) => file.name === name || pattern.test(string(file.name)))),
    `a message with the file ${name}`,
  );
  const response = await fetch(string(filesOf(message)[0]?.url_private_download));
  return { message, text: Buffer.from(await response.arrayBuffer()).toString('utf8') };
}

/** Chooses an export of a message, and gives the file. */
export async function fileOf(
  world: World,
  message: VisibleMessage,
  kind: string,
  name: string,
): Promise<string> {
  const view = await moreOf(world, message);
  await world.slack.click({ view, actionId: `do-${kind}`, user: 'ben' });
  await world.slack.closeView(view);
  return (await exported(world, name)).text;
}
