import type { World } from './world.ts';

/** Shelves an analysis of a device in which of nine checks these were hits. `chs1@edge-8` names the host beside its chassis. */
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
