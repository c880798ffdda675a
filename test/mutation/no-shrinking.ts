import { fc } from '../support/fast-check.ts';

/** The first failing example is enough to detect a planted bug, so fast-check need not look for a smaller one. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
