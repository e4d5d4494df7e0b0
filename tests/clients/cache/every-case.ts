import { test } from "vitest";

/**
 * What a slow tool does when the server's answer is one that other clients' tests get too: in `npm run test:long`, not in each
 * run. Each call of these tools takes 10 to 16 s of CPU.
 */
export const testEvery = test.runIf(process.env["EVERY_CASE"]);
