import { records, string } from '../stand-ins/slack/json.ts';
import type { VisibleMessage } from '../stand-ins/slack/model.ts';
import { SUPPORT } from './conversation.ts';
import type { Workplace } from './workplace.ts';

/** The message that shows a file with such a name, and what is in it, as somebody downloads it. */
export async function exported(
  { slack }: Workplace,
  name: string,
  channel = SUPPORT,
  viewer = 'ben',
): Promise<{ message: VisibleMessage; text: string }> {
  const filesOf = ({ extras }: VisibleMessage) => records(extras?.files);
  const message = await slack.waitFor(
    () => slack.messages(channel, viewer).find((each) => filesOf(each).some((file) => file.name === name)),
    `a message with the file ${name}`,
  );
  const response = await fetch(string(filesOf(message)[0]?.url_private_download));
  return { message, text: Buffer.from(await response.arrayBuffer()).toString('utf8') };
}
