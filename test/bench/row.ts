/** One line of the table: what was measured, once for each run. */
export type Row = {
  readonly name: string;
  readonly what: string;
  readonly unit: '×' | 'MB' | 'ms' | '';
  /** Which side of the bound is good. */
  readonly good: 'more' | 'less';
  readonly must: number;
  readonly goal?: number;
  readonly values: readonly number[];
  /** What was fully used (the cores, the emulators), so that the bound could not be reached whatever the bot did. */
  readonly full?: string | undefined;
};

/** Measures some rows that share their runs. `report` hears what goes on. */
export type Measurement = {
  readonly names: readonly string[];
  run(report: (line: string) => void, profileDir: string | undefined): Promise<Row[]>;
};
