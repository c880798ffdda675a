import { expect, test } from 'vitest';
import { slackHosts } from '../../src/slack/front/slack-client.ts';

const SLACK = 'https://slack.com/api/';
const LOCAL = 'http://127.0.0.1:9000/api/';

test.each([
  [SLACK, 'https://hooks.slack.com/commands/T1/2/x'],
  [SLACK, 'https://files.slack.com/upload/v1/abc'],
  [SLACK, 'https://slack.com/api/chat.postMessage'],
  ['https://slack-gov.com/api/', 'https://hooks.slack-gov.com/actions/T1/2/x'],
  [LOCAL, 'http://127.0.0.1:9000/commands/T1/2/x'],
])('With the Web API at %s, %s is an address of Slack', (api, address) => {
  expect(() => slackHosts(api)(address)).not.toThrow();
});

test.each([
  [SLACK, 'http://hooks.slack.com/commands/T1/2/x'],
  [SLACK, 'https://hooks.slack.com.evil.test/x'],
  [SLACK, 'https://evilslack.com/x'],
  [SLACK, 'https://hooks.slack.com@evil.test/x'],
  [SLACK, 'https://user:pass@hooks.slack.com/x'],
  [SLACK, 'https://127.0.0.1/x'],
  [SLACK, ''],
  [SLACK, 'file:///etc/passwd'],
  [LOCAL, 'http://127.0.0.1:9001/commands/T1/2/x'],
  [LOCAL, 'https://127.0.0.1:9000/commands/T1/2/x'],
  [LOCAL, 'https://hooks.slack.com/commands/T1/2/x'],
])('With the Web API at %s, nothing is sent to %s, which is no address of Slack', (api, address) => {
  expect(() => slackHosts(api)(address)).toThrow('not Slack’s');
});
