const FACTOR = Number(process.env["FUZZ_FACTOR"] ?? 1);
// With 0 or no number, nothing would run and every search would pass.
if (!(FACTOR > 0)) throw new Error("FUZZ_FACTOR must be a number above 0.");

/**
 * The runs of a random search, or the milliseconds that it may take: as stated, or `FUZZ_FACTOR` times as many.
 * `npm run test:long` searches 20 times as long.
 */
export const longer = (usual: number): number => Math.ceil(usual * FACTOR);
