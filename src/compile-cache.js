import nodeModule from 'node:module';
import { join } from 'node:path';

/**
 * Lets Node keep the compiled code of this thread, which halves the processor time of a start. If the folder can't be
 * written, the bot runs without. `--import` loads this file before all others. It is plain JavaScript, because a first
 * file with types would make Node load 16 MB of code that strips them.
 */
// An older Node would end at its first TypeScript file, with an error that does not name the cause.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `Snapshot Bot needs Node 24 or later, and this is ${process.versions.node}: npm ci installs one, npm ci --omit=dev does not.\n`,
  );
  process.exit(2);
}

// As safe as the libraries beside it: a user who can write to this folder can change those, too.
nodeModule.enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'node'));
