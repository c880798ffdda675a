import { env, stdout } from 'node:process';
import { App, LogLevel } from '@slack/bolt';

/** The simplest bot that can be written with Bolt: it acknowledges, posts a fixed line and edits it. */
const app = new App({
  token: env.SLACK_BOT_TOKEN ?? '',
  signingSecret: env.SLACK_SIGNING_SECRET ?? '',
  clientOptions: { slackApiUrl: env.SLACK_API_URL ?? '' },
  logLevel: LogLevel.ERROR,
});

app.command('/snapshot', async ({ ack, client, command }) => {
  await ack();
  const { ts = '' } = await client.chat.postMessage({ channel: command.channel_id, text: 'working' });
  await client.chat.update({ channel: command.channel_id, ts, text: 'answered' });
});

const server = await app.start(0);
const address = server.address();
stdout.write(`listening on ${typeof address === 'object' && address !== null ? address.port : 0}\n`);
