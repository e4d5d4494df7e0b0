/** Answers for a database that may respond again in a moment. */
import { describeDatabaseFailure } from "#platform/database/database-away.ts";
import { Refused } from "./refused.ts";

/** Runs `ask`, and answers `unavailable` when the database is unreachable, or too busy with others. Anything else passes. */
export async function askDatabase<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask();
  } catch (error) {
    // A refusal means that the database has answered.
    const message = error instanceof Refused ? undefined : describeDatabaseFailure(error);
    if (message === undefined) throw error;
    throw new Refused("unavailable", message, { cause: error });
  }
}
