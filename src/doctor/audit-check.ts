import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../core/error-code.ts';
import { mayOthersWrite } from '../ops/audit.ts';
import { type Finding, failure, ok, warning } from './finding.ts';

const AREA = 'AUDIT_FILE';

/** Checks whether the audit can be written to its file, if it has one. Makes no file and writes nothing. */
export function checkAudit(file: string | undefined): Finding[] {
  if (file === undefined || file === '-') return [];
  try {
    // Without waiting: to open a pipe that nobody reads takes for ever.
    if (existsSync(file)) closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    else accessSync(dirname(file), constants.W_OK | constants.X_OK);
    const found = statSync(file, { throwIfNoEntry: false });
    if (found !== undefined && mayOthersWrite(found)) {
      const what = `others can write to ${file}, and so change what it says`;
      return [warning('audit-file-open', AREA, what, `chmod go-w ${file} (the next start does the same)`)];
    }
    return [ok(AREA, `${file} can be written to`)];
  } catch (error) {
    const what = `${file} cannot be written to (${errorCode(error)})`;
    const repair = 'check that its folder exists and that the user that runs the bot may write there';
    return [failure('audit-file-unwritable', AREA, what, repair)];
  }
}
