import { fc } from '../support/fast-check.ts';

/** A planted bug is noticed at the first example that fails: a smaller one tells nothing more. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
