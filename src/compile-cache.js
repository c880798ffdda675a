import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Has Node keep what it compiles in this thread, so that it is not stripped of its types and compiled again: half of the
 * processor time of a start. Where the folder can't be written, the bot runs without. It comes before anything else, by
 * `--import`, and is plain JavaScript: for the first file with types Node would load all that strips types, 16 MB.
 */
// Beside the code of the libraries, and as safe as that: who can write here can change the bot itself.
enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'node'));
