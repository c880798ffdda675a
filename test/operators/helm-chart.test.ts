import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import packageFile from '../../package.json' with { type: 'json' };
import { SECRETS, VARIABLES } from '../../src/config/settings.ts';
import { DOCUMENT_COMMANDS } from '../support/document-commands.ts';
import { expectJoined } from '../support/joined-resources.ts';
import {
  expectHardened,
  expectNoSecret,
  expectValid,
  only,
  type Resource,
  resourcesOf,
} from '../support/kubernetes-resources.ts';
import { has, pathTo } from '../support/needs.ts';

const { version } = packageFile;
const CHART = 'deploy/helm';
const values = parse(read(`${CHART}/values.yaml`));

const WITH_EVERYTHING = {
  image: { digest: `sha256:${'a'.repeat(64)}` },
  imagePullSecrets: [{ name: 'registry' }],
  ingress: { enabled: true, className: 'nginx', host: 'bot.example.com', tlsSecret: 'tls' },
  serviceMonitor: { enabled: true, interval: '15s' },
  networkPolicy: { egressPorts: [3128] },
};
const WITHOUT_REDIS = { redis: { enabled: false }, persistence: { size: '2Gi', storageClass: 'fast' } };
const COMMON = ['ConfigMap', 'Deployment', 'NetworkPolicy', 'Service', 'ServiceAccount'];
const CASES: [name: string, changes: object, further: string[]][] = [
  ['as it comes', {}, ['PodDisruptionBudget']],
  ['without Redis', WITHOUT_REDIS, ['PersistentVolumeClaim']],
  ['with everything', WITH_EVERYTHING, ['Ingress', 'PodDisruptionBudget', 'ServiceMonitor']],
];

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** Runs Helm on the chart with changed values; throws with Helm's message. */
function helm(command: 'lint' | 'template', changes: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-chart-'));
  const file = join(folder, 'values.json');
  writeFileSync(file, JSON.stringify(changes));
  const subject = command === 'lint' ? ['--strict', CHART] : ['bot', CHART];
  const args = [command, ...subject, '--namespace', 'tools', '--values', file];
  try {
    return execFileSync(pathTo('helm') ?? 'helm', args, { encoding: 'utf8', stdio: 'pipe' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The arguments of a documented command, with a path of this test in place of the documented one. */
function documented(begin: string, path: string, here: string): string[] {
  const command = Object.keys(DOCUMENT_COMMANDS).find((line) => line.startsWith(begin)) ?? '';
  return command.replace(path, here).split(' ').slice(1);
}

function rendered(changes: object): Resource[] {
  return resourcesOf(helm('template', changes));
}

describe.runIf(has('helm'))('Helm', () => {
  test.for(CASES)(
    'renders the chart %s into resources that are valid by the schemas of the API',
    ([, changes, further]) => {
      const found = rendered(changes);
      expect(found.map(({ kind }) => kind).sort()).toEqual([...COMMON, ...further].sort());
      expectValid(found);
      expectHardened(only(found, 'Deployment'));
      expectJoined(found, { secret: values.existingSecret });
      expect(helm('lint', changes)).toContain('0 chart(s) failed');
    },
  );

  test('takes the command of the documents', () => {
    const args = documented('helm install', 'my-values.yaml', `${CHART}/values.yaml`);
    const said = execFileSync(pathTo('helm') ?? 'helm', [...args, '--dry-run=client'], { encoding: 'utf8' });
    expect(said).toMatch(/^NAMESPACE: snapshot-bot$[\s\S]*^DESCRIPTION: Dry run complete$/m);
  });

  test('gives two replicas with Redis, and one with a volume without', () => {
    const shared = only(rendered({}), 'Deployment');
    expect(shared).toMatchObject({ spec: { replicas: 2, strategy: { type: 'RollingUpdate' } } });
    const single = only(rendered({ redis: { enabled: false } }), 'Deployment');
    expect(single).toMatchObject({ spec: { replicas: 1, strategy: { type: 'Recreate' } } });
    expect(JSON.stringify(single)).toContain('"claimName":"bot"');
    // With OnRootMismatch the kubelet changes the permissions of a volume only if its root folder has wrong ones.
    expect(single).toMatchObject({
      spec: {
        template: { spec: { securityContext: { fsGroup: 1000, fsGroupChangePolicy: 'OnRootMismatch' } } },
      },
    });
    expect(JSON.stringify(single)).toContain('"mountPath":"/app/data"');
    expect(JSON.stringify(single)).toContain('"value":"/app/data/bot"');
    expect(JSON.stringify(shared)).not.toContain('claimName');
  });

  test('makes new pods for other settings, and for those only', () => {
    const annotations = (changes: object) => {
      const { spec } = only(rendered(changes), 'Deployment') as never as {
        spec: { template: { metadata: { annotations: object } } };
      };
      return spec.template.metadata.annotations;
    };
    expect(annotations({ replicas: 3 })).toEqual(annotations({}));
    expect(annotations({ settings: { CONTACT: '#bot-help' } })).not.toEqual(annotations({}));
  });

  test('passes whole numbers on exactly, and refuses other numbers', () => {
    const settingsWith = (COMMANDS_PER_MINUTE: unknown) =>
      only(rendered({ settings: { COMMANDS_PER_MINUTE } }), 'ConfigMap');
    for (const [value, text] of [
      [1_000_000, '1000000'],
      [30, '30'],
      ['0.5', '0.5'],
    ] as const)
      expect(settingsWith(value)).toMatchObject({ data: { COMMANDS_PER_MINUTE: text } });
    expect(() => settingsWith(0.5)).toThrow(/COMMANDS_PER_MINUTE/);
  });

  test('refuses a secret among the values, by the schema of the chart', () => {
    for (const name of SECRETS.filter((secret) => secret !== 'DIAGNOSTICS_USER_ID')) {
      const inSettings = () => helm('template', { settings: { [name]: 'x' } });
      expect(inSettings, name).toThrow(/values don't meet the specifications of the schema/);
    }
  });
});

test.runIf(has('kubectl'))(
  'kubectl makes the Secret that the chart names, with the settings as its keys',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'snapshot-bot-secret-'));
    const lines = SECRETS.map((name) => `${name}=a "b" #c$d`);
    writeFileSync(join(folder, 'kubernetes.env'), lines.join('\n'));
    const args = documented('kubectl create secret', 'secrets/', `${folder}/`);
    const made = execFileSync(pathTo('kubectl') ?? 'kubectl', [...args, '--dry-run=client', '-o', 'yaml']);
    rmSync(folder, { recursive: true });
    const value = Buffer.from('a "b" #c$d').toString('base64');
    expect(parse(made.toString())).toMatchObject({
      metadata: { name: values.existingSecret, namespace: 'snapshot-bot' },
      data: Object.fromEntries(SECRETS.map((name) => [name, value])),
    });
  },
);

describe('The Helm chart', () => {
  test('holds no secret, and names settings that the bot knows', () => {
    const files = [...globSync(`${CHART}/templates/*`), `${CHART}/values.yaml`];
    for (const file of files) expectNoSecret(read(file));
    for (const name of Object.keys(values.settings)) expect(VARIABLES).toContain(name);
  });

  test('is of the version that it deploys', () => {
    expect(parse(read(`${CHART}/Chart.yaml`))).toMatchObject({ version, appVersion: version });
    expect(values.image.tag).toBe(version);
  });
});
