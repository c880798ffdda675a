import fc from 'fast-check';

// biome-ignore lint/style/noProcessEnv: FC_SEED tries other inputs.
const seed = Number(process.env.FC_SEED ?? 26_808_463);

/** All runs use the same inputs, so that a failure comes from a change and not from chance. */
fc.configureGlobal({ seed });

export { fc };
