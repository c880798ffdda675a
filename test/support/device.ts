import type { World } from './world.ts';

/** Shelves an analysis of a device in which these hits were found. */
export function shelveDevice({ service }: World, id: string, serial: string, ...hits: number[]): void {
  service.shelve(id, {
    title: 'A few',
    purpose: 'Written by a test.',
    document: {
      system: { chassisSerialNumber: serial, hostname: 'edge-9.example.com', platform: 'C117' },
      diagnostics: hits.map((hit) => ({
        name: `D${hit}`,
        match: true,
        importance: 'HIGH',
        header: `Hit ${hit}`,
      })),
    },
  });
}
