import nodeModule from 'node:module';
import { join } from 'node:path';

/**
 * Has Node keep what it compiles in this thread, so that it is not stripped of its types and compiled again: half of the
 * processor time of a start. Where the folder can't be written, the bot runs without. It comes before anything else, by
 * `--import`, and is plain JavaScript: for the first file with types Node would load all that strips types, 16 MB.
 */
// An older Node would end at the first file that it can't read, and name that.
if (Number.parseInt(process.versions.node, 10) < 24) {
  process.stderr.write(
    `Snapshot Bot needs Node 24 or later, and this is ${process.versions.node}: npm ci installs one, npm ci --omit=dev does not.\n`,
  );
  process.exit(2);
}

// Beside the code of the libraries, and as safe as that: who can write here can change the bot itself.
nodeModule.enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'node'));
