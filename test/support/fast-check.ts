import fc from 'fast-check';

// biome-ignore lint/style/noProcessEnv: whoever wants other inputs than those of every run names another seed.
const seed = Number(process.env.FC_SEED ?? 26_808_463);

/** Every run of the tests tries the same inputs, so that it says something of the change and not of its luck. */
fc.configureGlobal({ seed });

export { fc };
