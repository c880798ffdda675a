/** The evidence as one text, its blocks apart: by an empty line where any of them has several lines itself. */
export function evidenceText(output: readonly string[]): string {
  const isLong = output.some((block) => block.includes('\n'));
  return output.join(isLong ? '\n\n' : '\n');
}
