import { readdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import type { Finding, Level } from '../../src/doctor/finding.ts';
import { DEFAULT_USER_SECRET } from '../emulators/diagnostics-service/state.ts';
import { type Examination, runDoctor } from '../support/doctor.ts';
import { type ProcessWorld, test } from '../support/process-world.ts';

type Changes = Readonly<Record<string, string>>;

function doctor(
  { environment }: ProcessWorld,
  changes: Changes = {},
  ...args: string[]
): Promise<Examination> {
  return runDoctor({ ...environment, ...changes }, '--json', ...args);
}

function of(findings: readonly Finding[], level: Level, area?: string): Finding[] {
  return findings.filter((each) => each.level === level && (area === undefined || each.area === area));
}

/** Expects a failure with its repair, and the exit code of failures. */
function expectFailure({ findings, code }: Examination, area: string, what: RegExp): void {
  const failures = of(findings, 'failure', area);
  expect(failures.map((each) => each.what)).toContainEqual(expect.stringMatching(what));
  for (const each of failures) expect(each.repair).toMatch(/\w{3}/);
  expect(code).toBe(1);
}

test('A healthy installation: all is fine, one login, no change, no secret printed', async ({ world }) => {
  const { slack, service, environment, folder } = world;
  const { code, findings, output } = await doctor(world);
  expect(of(findings, 'failure').concat(of(findings, 'warning'))).toEqual([]);
  expect(of(findings, 'unchecked')).toMatchObject([{ area: 'DIAGNOSTICS_VENDOR, DIAGNOSTICS_BASE_URL' }]);
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ ok: true });
  for (const area of [
    'configuration',
    'SLACK_BOT_TOKEN',
    'Slack scopes',
    'PORT',
    'DATA_DIR',
    'login',
    'clock',
  ]) {
    expect(of(findings, 'ok', area).length, area).toBeGreaterThan(0);
  }
  expect(service.records.logins).toHaveLength(1);
  expect(service.records.requests).toEqual([]);
  expect(slack.records.calls.map(({ method }) => method)).toEqual(['auth.test']);
  expect(readdirSync(folder)).toEqual(['authority.pem']);
  for (const secret of [
    slack.botToken,
    slack.signingSecret,
    DEFAULT_USER_SECRET,
    environment.STATE_KEY ?? '?',
  ]) {
    expect(output).not.toContain(secret);
  }
});

test('For people it prints a line for each finding, and the counts', async ({ world }) => {
  world.service.switches.loginRefused = true;
  const { output, code } = await runDoctor({ ...world.environment });
  expect(output).toMatch(/^✓ configuration: complete$/m);
  expect(output).toMatch(
    /^✗ login: the service rejects the account \(status 302\)\n {4}→ check DIAGNOSTICS_USER_ID/m,
  );
  expect(output).toMatch(/^1 failed, 0 to look at, 0 not checked, \d+ fine$/m);
  expect(code).toBe(1);
  expect(world.service.records.logins).toHaveLength(1);
});

describe('The configuration', () => {
  test('with problems ends with code 2, each problem a finding with its repair', async ({ world }) => {
    const { findings, code, output } = await doctor(world, { DIAGNOSTICS_VENDOR: '', PORT: 'many' });
    expect(code).toBe(2);
    expect(JSON.parse(output)).toMatchObject({ ok: false });
    expect(findings.map(({ what }) => what.split(' ')[0])).toEqual(['PORT', 'DIAGNOSTICS_VENDOR']);
  });

  test('is not looked at when the doctor is asked for something it does not know', async ({ world }) => {
    for (const args of [['--fix'], ['--snapshot', 'abc']]) {
      const { code, output } = await runDoctor(world.environment, ...args);
      expect(code).toBe(2);
      expect(output).toContain('usage: npm run doctor');
    }
    expect(world.slack.records.calls).toEqual([]);
  });

  test('is not looked at when the doctor is asked for its usage', async ({ world }) => {
    const { code, output } = await runDoctor(world.environment, '--help');
    expect(code).toBe(0);
    expect(output).toMatch(/^usage: npm run doctor/);
    expect(world.slack.records.calls).toEqual([]);
  });
});

describe('The service', () => {
  test('--snapshot asks once and says what it read; a session that is refused ends it without another login', async ({
    world,
  }) => {
    const { findings } = await doctor(world, {}, '--snapshot', '1001');
    const shown = of(findings, 'ok', 'snapshot 1001')[0]?.what ?? '';
    expect(shown).toMatch(/\(hits: 37, diagnostics: 247\)$/);
    expect(world.service.records.requests).toHaveLength(1);
    world.service.nextAnswers([{ status: 401 }]);
    expectFailure(await doctor(world, {}, '--snapshot', '1012'), 'snapshot 1012', /session/);
    expect(world.service.records.logins).toHaveLength(2);
    const absent = await doctor(world, {}, '--snapshot', '99999');
    expect(of(absent.findings, 'failure')[0]?.repair).toContain('DIAGNOSTICS_BASE_URL');
    expectFailure(absent, 'snapshot 99999', /not found/);
  });
});
