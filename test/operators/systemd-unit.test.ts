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

  test('has a tool that runs with the user, settings, secrets and data of the bot', () => {
    const lines = read(unit).split('\n');
    const properties = [...read(tool).matchAll(/--property=(\S+)/g)].map(([, property]) => property);
    // The unit has a DynamicUser, whom systemd names after the unit.
    const expected = properties.map((each) => (each === 'User=snapshot-bot' ? 'DynamicUser=yes' : each));
    for (const property of expected) expect(lines).toContain(property);
    const secrets = (text: string) => [...text.matchAll(/LoadCredential=\S+/g)].map(String);
    expect(secrets(read(tool))).toEqual(secrets(read(unit)));
    const [, environment = ''] = /^Environment=(NODE_ENV.*)$/m.exec(read(unit)) ?? [];
    for (const pair of environment.split(' ')) expect(read(tool)).toContain(`--setenv=${pair} `);
  });

  test('has a tool that gives a program its words and the files of secrets, and ends with its exit code', () => {
    const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-tool-'));
    const program = (path: string, script: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    };
    // Stands in for systemd: runs the command after the options, in this folder.
    program('bin/systemd-run', `while [ "$1" != /bin/sh ]; do shift; done; cd ${folder}; exec "$@"`);
    // Stands in for Node: prints its arguments and the files of secrets, and fails.
    program('node_modules/.bin/node', 'printf "%s\\n" "$@"; env | grep _FILE= | sort; exit 7');
    const env = { PATH: `${folder}/bin:/usr/bin:/bin`, CREDENTIALS_DIRECTORY: '/given' };
    const { status, stdout } = spawnSync(tool, ['forget', '--user', 'U0 1'], { env, encoding: 'utf8' });
    rmSync(folder, { recursive: true });
    expect(status).toBe(7);
    const files = ['diagnostics_user_secret', 'slack_bot_token', 'slack_signing_secret'];
    expect(stdout.trim().split('\n')).toEqual([
      ...['src/forget.ts', '--user', 'U0 1'],
      ...files.map((name) => `${name.toUpperCase()}_FILE=/given/${name}`),
    ]);
  });

  test('has a tool that asks which program is meant when it is called without one', () => {
    expect(spawnSync(tool, { encoding: 'utf8' })).toMatchObject({
      status: 2,
      stderr: 'which tool? doctor or forget\n',
    });
  });

  test.runIf(has('systemd-analyze'))('exposes the machine little, as systemd judges: below 2.0 of 10', () => {
    const args = ['security', '--offline=true', '--no-pager', '--threshold=20', unit];
    const report = execFileSync(pathTo('systemd-analyze') ?? 'systemd-analyze', args, { encoding: 'utf8' });
    expect(report).toMatch(/Overall exposure level for snapshot-bot\.service: [01]\.\d/);
  });

  test('starts the bot again after any end, for ever, but not when its configuration has problems', () => {
    const text = read(unit);
    expect(text).toMatch(/^Restart=always$/m);
    expect(text).toMatch(/^StartLimitIntervalSec=0$/m);
    // `test/durability/start-errors.test.ts` checks that the bot ends with this code.
    expect(text).toMatch(/^RestartPreventExitStatus=2$/m);
  });

  test('gives every secret as a file of systemd, and names only settings that the bot has', () => {
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
