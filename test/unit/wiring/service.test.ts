import { describe, expect, onTestFinished, test } from 'vitest';
import { USER_AGENT } from '../../../src/version.ts';
import { createService, createTransport } from '../../../src/wiring/service.ts';
import {
  DEFAULT_USER_ID,
  DEFAULT_USER_SECRET,
  DEFAULT_VENDOR,
} from '../../emulators/diagnostics-service/state.ts';
import { basing } from '../../support/observed-base.ts';
import { snapshotId } from '../../support/snapshot-id.ts';
import { startService } from '../../support/upstreams.ts';

const QUESTION = { snapshotId: snapshotId('1012'), set: 'hit' } as const;

describe('What the service and its login servers answer is told to operators', () => {
  async function reaching(settings: Readonly<Record<string, string>> = {}) {
    const service = await startService({ waitMs: 0 });
    onTestFinished(() => service.close());
    const based = basing({
      ...{ DIAGNOSTICS_BASE_URL: service.baseUrl, DIAGNOSTICS_AUTH_URL: service.authUrl },
      ...{ DIAGNOSTICS_VENDOR: DEFAULT_VENDOR, DIAGNOSTICS_USER_ID: DEFAULT_USER_ID },
      ...{ DIAGNOSTICS_USER_SECRET: DEFAULT_USER_SECRET, ...settings },
    });
    const transport = createTransport(based.base);
    onTestFinished(() => transport.close());
    return { ...based, service, transport, ...createService(based.base, transport) };
  }

  test('with each login, answer and poll, and who asked is said to the service', async () => {
    const { polls, service, metrics, observation, clock } = await reaching();
    await polls.look(QUESTION, clock.now);
    expect(await metrics(/_(?:service_answers|logins|polls)_total/)).toEqual([
      expect.stringMatching(/answers_total\{upstream="login servers",status="200"\} 1/),
      expect.stringMatching(/answers_total\{upstream="diagnostics service",status="200"\} 1/),
      'snapshot_bot_logins_total{outcome="succeeded"} 1',
      'snapshot_bot_polls_total{outcome="ready"} 1',
    ]);
    expect(observation.events.lastLogin('succeeded')).toBe(clock.now);
    const { logins, requests, breaches } = service.records;
    expect([...logins, ...requests].map(({ userAgent }) => userAgent)).toEqual([USER_AGENT, USER_AGENT]);
    expect(breaches).toEqual([]);
    expect(USER_AGENT).toMatch(/^snapshot-bot\/\d+\.\d+\.\d+ /);
  });

  test('a refused login at its time, and a host that stays without an answer', async () => {
    const { session, service, observation, clock, metrics } = await reaching();
    service.switches.loginRefused = true;
    await expect(session.authenticate(new URL(service.baseUrl))).rejects.toMatchObject({
      code: 'login-refused',
    });
    expect(observation.events.lastLogin('refused')).toBe(clock.now);
    expect(await metrics(/logins_total/)).toEqual(['snapshot_bot_logins_total{outcome="refused"} 1']);
  });

  test('the silence of a host until it answers again, and how many requests wait for their turn', async () => {
    const { session, service, observation, metrics, transport } = await reaching({
      SERVICE_CONCURRENCY: '1',
    });
    const problems = async () =>
      (await Promise.all(observation.upstreams.checks().map(({ problem }) => problem()))).map(
        (each) => each === undefined,
      );
    const ask = () =>
      transport
        .send(
          {
            ...{ upstream: 'diagnostics service', method: 'GET', url: new URL(service.baseUrl), headers: {} },
            mayStart: async () => {},
          },
          () => undefined,
        )
        .catch(() => {});
    expect(await problems()).toEqual([true, true]);
    const asked = [ask(), ask(), ask()];
    expect(await metrics(/waiting_requests/)).toEqual(['snapshot_bot_service_waiting_requests 2']);
    await Promise.all(asked);
    await session.authenticate(new URL(service.baseUrl));
    await service.close();
    await ask();
    expect(await problems()).toEqual([false, true]);
  });
});
