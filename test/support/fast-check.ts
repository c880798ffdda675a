import fc from 'fast-check';

const { env } = process;

/** Every run tries the same inputs, so that it says something of what was changed. `FC_SEED` tries others. */
const seed = Number(env.FC_SEED ?? 26_808_463);
fc.configureGlobal({ seed });

export { fc };
