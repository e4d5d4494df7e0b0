/**
 * Puts the number of people online in the community's chat into the built pages. No request waits for it:
 * `refresh` returns immediately, pages stay unchanged until an answer arrives, and without one no number is
 * shown.
 *
 *   request ─► refresh ──(a minute since the last call?)──► chat's public invite endpoint, 2 s at most
 *                                                               │ a plausible number
 *   page ◄── files of the pages, rewritten ◄────────────────────┘ kept for an hour at most
 *
 * The endpoint is Discord's: GET /api/v10/invites/<code>?with_counts=true → `approximate_presence_count`.
 */
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import * as z from "zod";
import { readAnswerText } from "#platform/http/read-body.ts";
import type { StaticFile, StaticFiles } from "#platform/http/static-files.ts";
import { consoleLog, type Log } from "#platform/log/log.ts";
import { createJob } from "#platform/jobs/job.ts";

const LIMITS = {
  pauseMs: 60_000,
  /** Time limit for the whole answer. */
  answerMs: 2_000,
  /** How long a number is shown if no new one arrives. */
  keptMs: 60 * 60_000,
  answerBytes: 64 * 1024,
};

/** A larger number is an error of the endpoint. */
const answerSchema = z.object({ approximate_presence_count: z.int().min(0).max(50_000_000) });

/** Minimum time between two requests; a request is only sent when a page is requested. */
const REST = { restMs: LIMITS.pauseMs };

const PLACEHOLDER = 'data-online=""></span>';

interface Options {
  url: string;
  /** The pages in memory; those that have a place for the number are replaced. */
  files: StaticFiles;
  now?: () => number;
  answerMs?: number;
  log?: Log;
}

export interface CommunityCount {
  /** Called with every request. Returns immediately; the promise is for tests. */
  refresh(): Promise<void>;
}

export function createCommunityCount({
  url,
  files,
  now = Date.now,
  answerMs = LIMITS.answerMs,
  log = consoleLog,
}: Options): CommunityCount {
  const job = createJob({
    name: "community count",
    run: async () => {
      await update();
      return REST;
    },
    retry: REST,
    clock: now,
    onError: (error) => log.error("The community count failed:", { error }),
  });
  const pages = [...files].filter(([, file]) => file.type.startsWith("text/html") && hasPlace(file));
  let known: { count: number; at: number } | null = null;
  let shown: number | null = null;

  async function update(): Promise<void> {
    const count = await askCount(url, answerMs);
    if (count !== null) known = { count, at: now() };
    else if (known && now() - known.at >= LIMITS.keptMs) known = null;
    const next = known?.count ?? null;
    if (next === shown) return;
    shown = next;
    for (const [path, page] of pages) files.set(path, next === null ? page : await withCount(page, next));
  }

  return {
    refresh() {
      job.wake();
      return job.settled();
    },
  };
}

const hasPlace = (file: StaticFile) => file.identity.includes(PLACEHOLDER);

/** @returns null for anything but a plausible number in time. */
async function askCount(url: string, answerMs: number): Promise<number | null> {
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(answerMs),
      redirect: "error",
      headers: { Accept: "application/json" },
    });
    if (!response.ok) {
      await response.body?.cancel();
      return null;
    }
    const answer = answerSchema.safeParse(
      JSON.parse(await readAnswerText(response, { maxBytes: LIMITS.answerBytes })),
    );
    return answer.success ? answer.data.approximate_presence_count : null;
  } catch {
    // No network, too late, not JSON: an unknown number is an expected outcome.
    return null;
  }
}

const numberFormat = new Intl.NumberFormat("en");

async function withCount(page: StaticFile, count: number): Promise<StaticFile> {
  const text = `data-online=""><i aria-hidden="true"></i>${numberFormat.format(count)} online</span>`;
  const identity = Buffer.from(page.identity.toString().replaceAll(PLACEHOLDER, text));
  // Quality 5 of 11, because the page is compressed again whenever the number changes.
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity, quality),
    promisify(gzip)(identity),
  ]);
  const etag = `"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`;
  return { ...page, identity, br, gzip: gz, etag };
}
