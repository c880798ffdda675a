import type { World } from './world.ts';

/** Adds a snapshot of a device with nine checks; `hits` are hits. `chs1@edge-8` names a chassis and its host. */
export function shelveDevice(
  { service }: Pick<World, 'service'>,
  id: string,
  device: string,
  ...hits: number[]
): void {
  const [chassisSerialNumber, hostname = 'edge-9.example.com'] = device.split('@');
  service.shelve(id, {
    title: 'A few',
    purpose: 'Written by a test.',
    document: {
      system: { chassisSerialNumber, hostname, platform: 'C117' },
      diagnostics: Array.from({ length: 9 }, (_, at) => at + 1).map((check) => ({
        ...{ name: `D${check}`, importance: 'HIGH', header: `Hit ${check}` },
        match: hits.includes(check),
      })),
    },
  });
}
