import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { VARIABLES } from '../../src/config/settings.ts';
import { has, pathTo } from '../support/needs.ts';

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

describe('the systemd unit', () => {
  const unit = 'deploy/systemd/snapshot-bot.service';
  const tool = 'deploy/systemd/tool';

  test('is what the tools run as too: the same user, settings, secrets and data', () => {
    const lines = read(unit).split('\n');
    const properties = [...read(tool).matchAll(/--property=(\S+)/g)].map(([, property]) => property);
    // The name that systemd gives the user of this unit.
    const expected = properties.map((each) => (each === 'User=snapshot-bot' ? 'DynamicUser=yes' : each));
    for (const property of expected) expect(lines).toContain(property);
    const secrets = (text: string) => [...text.matchAll(/LoadCredential=\S+/g)].map(String);
    expect(secrets(read(tool))).toEqual(secrets(read(unit)));
    const [, environment = ''] = /^Environment=(NODE_ENV.*)$/m.exec(read(unit)) ?? [];
    for (const pair of environment.split(' ')) expect(read(tool)).toContain(`--setenv=${pair} `);
  });

  test('hands its tools the words and the secrets, and the exit code comes back', () => {
    const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-tool-'));
    const put = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    };
    put('bin/systemd-run', `while [ "$1" != /bin/sh ]; do shift; done; cd ${folder}; exec "$@"`);
    put('node_modules/.bin/node', 'printf "%s\\n" "$@"; env | grep _FILE= | sort; exit 7');
    const env = { PATH: `${folder}/bin:/usr/bin:/bin`, CREDENTIALS_DIRECTORY: '/given' };
    const { status, stdout } = spawnSync(tool, ['forget', '--user', 'U0 1'], { env, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(status).toBe(7);
    const files = ['diagnostics_user_secret', 'slack_bot_token', 'slack_signing_secret'];
    expect(stdout.trim().split('\n')).toEqual([
      ...['src/forget.ts', '--user', 'U0 1'],
      ...files.map((name) => `${name.toUpperCase()}_FILE=/given/${name}`),
    ]);
    expect(spawnSync(tool, { env }).status).toBe(2);
  });

  test.runIf(has('systemd-analyze'))('is as confined as systemd can judge: at most 2.0 of 10', () => {
    const args = ['security', '--offline=true', '--no-pager', '--threshold=20', unit];
    const report = execFileSync(pathTo('systemd-analyze') ?? 'systemd-analyze', args, { encoding: 'utf8' });
    expect(report).toMatch(/Overall exposure level for snapshot-bot\.service: [01]\.\d/);
  });

  test('starts the bot again after any end, for ever, but not when its configuration has problems', () => {
    const text = read(unit);
    expect(text).toMatch(/^Restart=always$/m);
    expect(text).toMatch(/^StartLimitIntervalSec=0$/m);
    // The code that `test/durability/start-errors.test.ts` holds the bot to.
    expect(text).toMatch(/^RestartPreventExitStatus=2$/m);
  });

  test('hands secrets over as credentials, and names settings that the bot knows', () => {
    const text = read(unit);
    const named = [...text.matchAll(/^Environment=(.+)$/gm)].flatMap(([, list = '']) =>
      list.split(' ').map((pair) => pair.split('=')[0] ?? ''),
    );
    for (const name of named.filter((each) => each !== 'NODE_ENV')) {
      expect(VARIABLES).toContain(name.replace(/_FILE$/, ''));
    }
    const credentials = [...text.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => name);
    expect(credentials.map((name) => `${name?.toUpperCase()}_FILE`)).toEqual(
      named.filter((name) => name.endsWith('_FILE')),
    );
  });
});
