import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount';
import { expect } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { SECRETS } from '../../src/config/settings.ts';

const KINDS = {
  ConfigMap,
  Deployment,
  Ingress,
  NetworkPolicy,
  PersistentVolumeClaim,
  PodDisruptionBudget,
  Service,
  ServiceAccount,
  ServiceMonitor,
};
/** The common type of all schema classes: each constructor accepts only the fields of its own kind. */
type Validating = new (resource: never) => { validate(): void };
export type Resource = { readonly kind: keyof typeof KINDS; readonly [field: string]: unknown };

/** The resources in a Kubernetes file, which may contain several. */
export function resourcesOf(text: string): Resource[] {
  return parseAllDocuments(text).flatMap((document) => {
    expect(document.errors).toEqual([]);
    const resource = document.toJS();
    return resource === null ? [] : [resource];
  });
}

/** Validates resources against the JSON schemas of the Kubernetes API. */
export function expectValid(resources: readonly Resource[]): void {
  for (const resource of resources) {
    const Kind: Validating | undefined = KINDS[resource.kind];
    if (Kind === undefined) throw new Error(`no schema for ${resource.kind}`);
    expect(() => new Kind(resource as never).validate(), resource.kind).not.toThrow();
  }
}

/** The only resource of this kind. */
export function only(resources: readonly Resource[], kind: string): Resource {
  const found = resources.filter((resource) => resource.kind === kind);
  expect(found, kind).toHaveLength(1);
  return found[0] as Resource;
}

/** Expects the hardening that every deployment of the bot must have. */
export function expectHardened(deployment: Resource): void {
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
              // Not `/readyz`: an unready bot must still receive Slack's requests, to say why
              // (test/durability/storage-away.test.ts).
              readinessProbe: { httpGet: { path: '/healthz', port: 'ops' } },
              startupProbe: { httpGet: { path: '/readyz', port: 'ops' } },
            },
          ],
        },
      },
    },
  });
}

/** Expects that a deployment file contains no secret, only a reference to it. */
export function expectNoSecret(text: string): void {
  for (const name of SECRETS) {
    expect(text).not.toMatch(new RegExp(`^\\s*${name}: (?!""$)\\S`, 'm'));
    expect(text).not.toMatch(/kind: Secret\b/);
  }
}
