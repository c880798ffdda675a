import { expect } from 'vitest';
import type { Resource } from './kubernetes-resources.ts';

type Labels = Readonly<Record<string, string>>;
type Port = { readonly name: string; readonly port?: number; readonly targetPort?: string };
type Named = { readonly name: string };
type PodSpec = {
  readonly serviceAccountName: string;
  readonly containers: readonly {
    readonly ports: readonly Named[];
    readonly envFrom: unknown;
    readonly volumeMounts: readonly Named[];
  }[];
  readonly volumes: readonly (Named & { readonly persistentVolumeClaim?: { readonly claimName: string } })[];
};
type Workload = {
  readonly selector: { readonly matchLabels: Labels };
  readonly template: { readonly metadata: { readonly labels: Labels }; readonly spec: PodSpec };
};

/**
 * Expects that the resources of a deployment refer to each other by existing names, which the schemas can't check. A
 * wrong name is installed without an error, but reaches nothing. `given`: resources that exist beforehand.
 */
export function expectJoined(resources: readonly Resource[], given: { readonly secret: string }): void {
  const names = (kind: string) => ofKind(resources, kind).map(({ metadata }) => metadata.name);
  const [deployment] = ofKind<Workload>(resources, 'Deployment');
  const [service] = ofKind<{ selector: Labels; ports: Port[] }>(resources, 'Service');
  if (deployment === undefined || service === undefined) throw new Error('no deployment, or no service');
  const { template, selector } = deployment.spec;
  const { labels } = template.metadata;
  expect(labels).toMatchObject(selector.matchLabels);
  expect(labels).toMatchObject(service.spec.selector);
  expectPodJoined(template.spec, names, given.secret);
  const [container] = template.spec.containers;
  const ports = container?.ports.map(({ name }) => name);
  for (const { targetPort } of service.spec.ports) expect(ports).toContain(targetPort);
  for (const kind of ['PodDisruptionBudget', 'NetworkPolicy']) {
    for (const { spec } of ofKind<{ selector?: Selector; podSelector?: Selector }>(resources, kind)) {
      expect(labels, kind).toMatchObject((spec.selector ?? spec.podSelector)?.matchLabels ?? {});
    }
  }
  for (const port of portsLetIn(resources)) expect(ports).toContain(port);
  expectServiceFound(resources, service);
}

type Selector = { readonly matchLabels: Labels };
type Whole<S> = { readonly metadata: { readonly name: string; readonly labels: Labels }; readonly spec: S };

function ofKind<S = unknown>(resources: readonly Resource[], kind: string): Whole<S>[] {
  return resources.filter((resource) => resource.kind === kind) as never;
}

function expectPodJoined(pod: PodSpec, names: (kind: string) => string[], secret: string): void {
  expect(names('ServiceAccount')).toContain(pod.serviceAccountName);
  const volumes = pod.volumes.map(({ name }) => name);
  for (const { persistentVolumeClaim: claim } of pod.volumes) {
    if (claim !== undefined) expect(names('PersistentVolumeClaim')).toContain(claim.claimName);
  }
  for (const { envFrom, volumeMounts } of pod.containers) {
    for (const { name } of volumeMounts) expect(volumes).toContain(name);
    const settings = expect.toBeOneOf(names('ConfigMap'));
    expect(envFrom).toEqual([{ configMapRef: { name: settings } }, { secretRef: { name: secret } }]);
  }
}

function portsLetIn(resources: readonly Resource[]): unknown[] {
  const policies = ofKind<{ ingress: { ports: { port: unknown }[] }[] }>(resources, 'NetworkPolicy');
  return policies.flatMap(({ spec }) => spec.ingress.flatMap(({ ports }) => ports.map(({ port }) => port)));
}

/** Expects that the ingress, which receives Slack's deliveries, and the monitor, which reads metrics, find the service. */
function expectServiceFound(resources: readonly Resource[], service: Whole<{ ports: Port[] }>): void {
  const ports = service.spec.ports.map(({ name }) => name);
  const monitors = ofKind<{ selector: Selector; endpoints: { port: string }[] }>(resources, 'ServiceMonitor');
  for (const { spec } of monitors) {
    expect(service.metadata.labels).toMatchObject(spec.selector.matchLabels);
    for (const { port } of spec.endpoints) expect(ports).toContain(port);
  }
  const backend = { service: { name: service.metadata.name, port: { name: expect.toBeOneOf(ports) } } };
  for (const { spec } of ofKind(resources, 'Ingress')) {
    expect(spec).toMatchObject({ rules: [{ http: { paths: [{ backend }] } }] });
  }
}
