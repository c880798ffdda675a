/** One line of the table, with the value of each run. */
export type Row = {
  readonly name: string;
  readonly what: string;
  readonly unit: '×' | 'MB' | 'ms' | '';
  /** Whether values above or below the bound are good. */
  readonly good: 'more' | 'less';
  readonly must: number;
  readonly goal?: number;
  readonly values: readonly number[];
  /** The resource that was used up (the cores or the emulators), which made it impossible to reach the bound. */
  readonly full?: string | undefined;
};

/** Measures rows that share their runs. `report` receives a line about each step. */
export type Measurement = {
  readonly names: readonly string[];
  run(report: (line: string) => void, profileDir: string | undefined): Promise<Row[]>;
};

/** A row with one run, whose value should be small. */
export function atMost(
  name: string,
  what: string,
  unit: Row['unit'],
  bounds: Pick<Row, 'must' | 'goal'>,
  value: number,
): Row {
  return { name, what, unit, good: 'less', ...bounds, values: [value] };
}
