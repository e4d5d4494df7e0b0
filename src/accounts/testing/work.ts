/** Does the work that strangers have to do, like the site's pages and the CLI; for tests. */
import { type AskedWork, solveWork } from "#platform/text/solve-work.ts";

/** @returns the header with the finished work */
export async function doWork(body: Record<string, unknown>): Promise<Record<string, string>> {
  const { work } = body;
  if (!isWork(work)) throw new Error(`No work is asked: ${JSON.stringify(body)}`);
  return { "millrace-work": await solveWork(work) };
}

function isWork(work: unknown): work is AskedWork {
  return typeof work === "object" && work !== null && "challenge" in work && "bits" in work;
}
