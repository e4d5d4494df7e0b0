const FACTOR = Number(process.env["FUZZ_FACTOR"] ?? 1);

/**
 * The runs of a random search, or the milliseconds that it may take: as stated, or `FUZZ_FACTOR` times as many.
 * `npm run test:long` searches 20 times as long.
 */
export const longer = (usual: number): number => Math.ceil(usual * FACTOR);
