/** Answers for a database that does not answer. */
import { isDatabaseAway as isAway } from "#platform/database/database-away.ts";
import { Refused } from "./refused.ts";

/** Runs it, and answers `unavailable` when the database is away. Anything else passes. */
export async function askDatabase<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    throw new Refused("unavailable", "the database does not answer; ask again in a moment", { cause: error });
  }
}

/** Whether the same question may be answered in a moment; what was refused has been answered. */
const isDatabaseAway = (error: unknown): boolean => !(error instanceof Refused) && isAway(error);
