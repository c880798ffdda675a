import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/config.ts';
import { SECRETS } from '../../src/config/settings.ts';
import { OTHER_VALUES } from '../support/other-settings.ts';

type Secret = (typeof SECRETS)[number];
type Variables = Readonly<Record<string, string>>;

const FILES = {
  compose: 'compose.yaml',
  Helm: 'deploy/helm/values.yaml',
  systemd: 'deploy/systemd/snapshot-bot.service',
} as const;
type Deployment = keyof typeof FILES;

const INSTEAD = 'for Socket Mode, instead of the signing secret';
const IN_ENVIRONMENT = 'a line of the file of settings, which root alone reads';
const NO_SECRET = 'a name: it is among the settings without secrets';
/** The secrets that a deployment leaves out, and why. */
const LEFT_OUT: Readonly<Record<Deployment, Partial<Record<Secret, string>>>> = {
  compose: { SLACK_APP_TOKEN: INSTEAD, DIAGNOSTICS_USER_ID: NO_SECRET },
  Helm: {},
  systemd: {
    SLACK_APP_TOKEN: IN_ENVIRONMENT,
    DIAGNOSTICS_USER_ID: NO_SECRET,
    STATE_KEY: IN_ENVIRONMENT,
    REDIS_URL: IN_ENVIRONMENT,
  },
};

const read = (deployment: Deployment) => readFileSync(FILES[deployment], 'utf8');
const secretsIn = (text: string) => SECRETS.filter((name) => new RegExp(`\\b${name}\\b`).test(text));

/** The secrets of each deployment: files, or the keys that a comment lists for a Kubernetes Secret. */
const HANDED_OVER: Readonly<Record<Deployment, () => readonly Secret[]>> = {
  compose: () => secretsIn(parse(read('compose')).services.bot.secrets.join(' ').toUpperCase()),
  Helm: () => secretsIn(/^# The Secret that holds(?:.|\n#)*/m.exec(read('Helm'))?.[0] ?? ''),
  systemd: () =>
    secretsIn(
      Array.from(read('systemd').matchAll(/^LoadCredential=(\w+):/gm), ([, name = '']) =>
        name.toUpperCase(),
      ).join(' '),
    ),
};

/** The settings that an operator has to fill in: `.env.example` leaves them empty and does not comment them out. */
function filledIn(): Variables {
  const names = Array.from(
    readFileSync('.env.example', 'utf8').matchAll(/^([A-Z_]+)=$/gm),
    ([, name = '']) => name,
  );
  return Object.fromEntries(names.map((name) => [name, OTHER_VALUES[name as keyof typeof OTHER_VALUES]]));
}

/** The settings of each deployment, without the secrets. */
const SETTINGS: Readonly<Record<Deployment, () => Variables>> = {
  compose: filledIn,
  Helm: () => parse(read('Helm')).settings,
  systemd: filledIn,
};

const DEPLOYMENTS = Object.keys(FILES) as Deployment[];

test.each(DEPLOYMENTS)(
  'With %s the bot gets every secret, but for those that are left out for a reason',
  (deployment) => {
    const expected = SECRETS.filter((name) => LEFT_OUT[deployment][name] === undefined);
    expect(HANDED_OVER[deployment]()).toEqual(expected);
  },
);

test.each(DEPLOYMENTS)('With %s the bot gets every setting that it needs', (deployment) => {
  const handedOver = HANDED_OVER[deployment]().map((name) => [name, OTHER_VALUES[name]]);
  const settings = Object.entries(SETTINGS[deployment]()).filter(
    ([name]) =>
      !SECRETS.some((secret) => secret === name) || LEFT_OUT[deployment][name as Secret] === NO_SECRET,
  );
  const variables = Object.fromEntries([...settings, ...handedOver]);
  expect(() => readConfig(variables, () => '')).not.toThrow();
});
