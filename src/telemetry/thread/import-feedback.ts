import { existsSync, readFileSync } from "node:fs";
import * as z from "zod";
import { renameDurablyNow } from "#platform/files/durable.ts";
import type { FeedbackRow } from "../contract/types.ts";
import type { StoreService } from "./store-service.ts";

const lineSchema = z
  .object({
    at: z.iso.datetime().transform((text) => Date.parse(text)),
    path: z.string().max(200),
    answer: z.enum(["yes", "no"]),
    text: z.string().max(2000),
  })
  .catch({ at: 0, path: "", answer: "no", text: "" });

/**
 * Before there was a database, answers were kept in a file of JSON lines. It is read once and renamed to `….imported`. Lines
 * that are not answers stay in it.
 */
export function importFeedback(
  file: string,
  write: StoreService["write"],
  log: (line: string) => void,
): void {
  if (!existsSync(file)) return;
  try {
    const feedback: FeedbackRow[] = readFileSync(file, "utf8")
      .split("\n")
      .map((line) => lineSchema.parse(parseLine(line)))
      .filter((row) => row.path !== "");
    const { reason } = write({ feedback });
    if (reason !== null) throw new Error(reason);
    // Otherwise a power cut could undo the renaming, and the answers would be read twice.
    renameDurablyNow(file, `${file}.imported`);
    log(`Telemetry: ${feedback.length} answers were read from ${file}, which is now ${file}.imported.`);
  } catch (error) {
    log(
      `Telemetry: ${file} could not be read (${error instanceof Error ? error.message : error}); the server tries again at the next start.`,
    );
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
