/**
 * The lines of the Dockerfile that a build failed at. `buildkitd` stores the whole error of a solve as a blob: a gRPC status whose
 * details are its own types in JSON, including the position in the file.
 *
 *   { "info": { "filename": "Dockerfile", "data": "RlJP…" }, "ranges": [{ "start": { "line": 5 }, "end": { "line": 6 } }] }
 *
 * https://github.com/moby/buildkit/blob/master/solver/errdefs/errdefs.proto
 */
import { z } from "zod";
import { decodeCounted } from "#platform/grpc/count-fields.ts";
import type { BuildSource } from "../contract/builds.ts";
import { readBlob } from "../buildkit/client.ts";
import { FailureSchema } from "../gen/buildkit/control_pb.ts";
import {
  MAX_FAILURE_BYTES,
  MAX_NAME_LENGTH,
  MAX_SOURCE_LINE_LENGTH,
  MAX_SOURCE_LINES,
} from "../contract/limits.ts";
import type { Masker } from "../masking/masker.ts";
import type { BuildParts } from "../contract/parts.ts";
import { cleanText } from "./end-build.ts";
import { isCanceled } from "./judge-solves.ts";
import type { Solved } from "./recorder.ts";

const READ_MS = 5000;
const LINES_AROUND = 2;
const SOURCE_TYPE = "errdefs.Source+json";

interface Asked {
  solved: readonly Solved[];
  /** The socket of a platform's builder. */
  socketOf: (platform: string) => string | undefined;
  masker: Masker;
}

/** A build whose error cannot be read still ends as failed. */
export async function readSource(
  { log }: Pick<BuildParts, "log">,
  buildId: string,
  { solved, socketOf, masker }: Asked,
): Promise<BuildSource | null> {
  // Solves that a client canceled because another one failed end after it.
  const failed = solved.findLast(({ record }) => record?.externalError && !isCanceled(record));
  const digest = failed?.record?.externalError?.digest;
  const socket = failed && socketOf(failed.platform);
  if (digest === undefined || socket === undefined) return null;
  try {
    const signal = AbortSignal.timeout(READ_MS);
    const bytes = await readBlob(socket, { digest, maxBytes: MAX_FAILURE_BYTES, signal });
    return bytes && findSource(bytes, masker);
  } catch (error) {
    log.warn("The line that a build failed at could not be read.", { build: buildId, error });
    return null;
  }
}

const position = z.object({ line: z.number().int().nonnegative() }).default({ line: 0 });
const place = z.object({
  info: z.object({ filename: z.string().default(""), data: z.base64() }),
  ranges: z.array(z.object({ start: position, end: position })).min(1),
});

/** @public @param bytes of a status. @returns null if it names no position */
export function findSource(bytes: Uint8Array, masker: Masker): BuildSource | null {
  for (const { typeUrl, value } of decodeCounted(FailureSchema, bytes).details) {
    if (!typeUrl.endsWith(SOURCE_TYPE)) continue;
    const read = place.safeParse(JSON.parse(new TextDecoder().decode(value)));
    const source = read.success ? cutSource(read.data, masker) : null;
    if (source) return source;
  }
  return null;
}

function cutSource({ info, ranges }: z.infer<typeof place>, masker: Masker): BuildSource | null {
  const all = Buffer.from(info.data, "base64").toString().split(/\r?\n/);
  const failedFrom = Math.min(...ranges.map(({ start }) => start.line));
  if (failedFrom < 1 || failedFrom > all.length) return null;
  const failedTo = Math.min(
    Math.max(...ranges.map(({ start, end }) => Math.max(start.line, end.line))),
    all.length,
  );
  const first = Math.max(1, failedFrom - LINES_AROUND);
  const shown = all.slice(first - 1, failedTo + LINES_AROUND).slice(0, MAX_SOURCE_LINES);
  while (shown.at(-1)?.trim() === "" && first + shown.length - 1 > failedTo) shown.pop();
  const show = (text: string, length: number) => masker.mask(cleanText(text)).slice(0, length);
  return {
    file: show(info.filename, MAX_NAME_LENGTH),
    firstLine: first,
    lines: shown.map((line) => show(line, MAX_SOURCE_LINE_LENGTH)),
    failedFrom,
    failedTo,
  };
}
