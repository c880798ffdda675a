import type { Component } from './components.ts';
import type { Random } from './random.ts';

const HOSTS = ['edge-7', 'edge-7.example.com'] as const;
const MEMBERS = ['app-01', 'app-02', 'app-03', 'db-read-1', 'legacy-4'] as const;

/** Log lines, one block each, in the order of time. */
export function logBlocks(random: Random, count: number, line: (index: number) => string): string[] {
  return Array.from(
    { length: count },
    (_, index) => `${stamp(random, index)} ${random.pick(HOSTS)} ${line(index)}`,
  );
}

/** One block with an introduction and many log lines. */
export function logExtract(random: Random, count: number, line: (index: number) => string): string {
  return `The log has these entries (the newest last):\n\n${logBlocks(random, count, line).join('\n')}`;
}

/** One block with aligned columns. */
export function table(heads: string[], rows: string[][]): string {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...rows.map((row) => (row[column] ?? '').length)),
  );
  const line = (cells: string[]): string =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(heads), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** An introduction, then one block for every affected object. */
export function objectBlocks({ tag }: Component, random: Random, most: number): string[] {
  const count = 1 + random.upTo(most);
  const objects = Array.from({ length: count }, (_, index) => (index === 0 ? tag : `${tag}_${index + 1}`));
  return [`${count === 1 ? 'One object is' : `${count} objects are`} affected:`, ...objects];
}

/** A table of pool members with their counters. */
export function memberTable(random: Random): string {
  const rows = MEMBERS.map((member) => [
    `${member}:443`,
    random.pick(['up', 'up', 'down', 'forced offline']),
    String(random.upTo(9_000)),
    `${random.upTo(400)} ms`,
  ]);
  return table(['Member', 'State', 'Connections', 'Latency'], rows);
}

/** A process table, such as a memory diagnostic shows. */
export function processTable({ tag }: Component, random: Random): string {
  const rows = [tag, 'flowd', 'confd', 'statd'].map((process) => [
    String(4_000 + random.upTo(28_000)),
    process,
    `${180 + random.upTo(2_400)} MB`,
    `${random.upTo(60)}.${random.upTo(10)}%`,
    `${random.upTo(240)}d ${random.upTo(24)}h`,
  ]);
  return table(['PID', 'Process', 'Resident', 'CPU', 'Up'], rows);
}

function stamp(random: Random, index: number): string {
  const minute = String((7 + index * 2) % 60).padStart(2, '0');
  const second = String(random.upTo(60)).padStart(2, '0');
  return `Feb 16 0${3 + Math.floor(index / 27)}:${minute}:${second}`;
}
