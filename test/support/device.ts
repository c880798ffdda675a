import type { World } from './world.ts';

/** Shelves an analysis of a device in which these hits were found. `chs1@edge-8` names the host beside its chassis. */
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
      diagnostics: hits.map((hit) => ({
        name: `D${hit}`,
        match: true,
        importance: 'HIGH',
        header: `Hit ${hit}`,
      })),
    },
  });
}
