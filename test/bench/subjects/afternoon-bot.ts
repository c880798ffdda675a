import { env, stdout } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { App, LogLevel } from '@slack/bolt';
import { XMLParser } from 'fast-xml-parser';

/**
 * The bot that an engineer writes in an afternoon: it logs in, asks, sleeps, asks again and posts the titles. It stores
 * nothing, shares nothing and handles no fault.
 */
const app = new App({
  token: env.SLACK_BOT_TOKEN ?? '',
  signingSecret: env.SLACK_SIGNING_SECRET ?? '',
  clientOptions: { slackApiUrl: env.SLACK_API_URL ?? '' },
  logLevel: LogLevel.ERROR,
});
const parser = new XMLParser({ ignoreAttributes: false });
let cookie = '';

async function login(): Promise<void> {
  const answer = await fetch(`${env.DIAGNOSTICS_AUTH_URL}/auth/pub/sso/login/diagnostics-api`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'afternoon-bot' },
    body: JSON.stringify({
      user_id: env.DIAGNOSTICS_USER_ID,
      user_secret: env.DIAGNOSTICS_USER_SECRET,
    }),
  });
  cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function diagnostics(id: string): Promise<string> {
  for (;;) {
    const url = `${env.DIAGNOSTICS_BASE_URL}/snapshot-analyzer/api/snapshots/${id}/diagnostics?set=hit`;
    const accept = `application/vnd.${env.DIAGNOSTICS_VENDOR}.diagnostics.api`;
    const answer = await fetch(url, { headers: { accept, cookie, 'user-agent': 'afternoon-bot' } });
    const body = await answer.text();
    if (answer.status === 200) return body;
    await delay(10_000);
  }
}

app.command('/snapshot', async ({ ack, client, command }) => {
  await ack();
  const { ts = '' } = await client.chat.postMessage({ channel: command.channel_id, text: 'working' });
  const document = parser.parse(await diagnostics(command.text.split(' ')[0] ?? ''));
  const found = [document.diagnostic_output.diagnostics.diagnostic].flat();
  const lines = found.map(
    ({ run_data, results }) => `${run_data.h_importance}: ${results.h_header} ${results.h_action}`,
  );
  await client.chat.update({
    channel: command.channel_id,
    ts,
    text: `answered: ${found.length} hits\n${lines.join('\n')}`.slice(0, 3_500),
  });
});

await login();
const server = await app.start(0);
const address = server.address();
stdout.write(`listening on ${typeof address === 'object' && address !== null ? address.port : 0}\n`);
