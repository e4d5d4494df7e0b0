/** Variables of container builds. */
import { z } from "zod";
import { parseDownload } from "#builds/index.ts";
import { buildersVariables } from "./builders-variables.ts";
import { retention } from "./cache-variables.ts";
import { parseDuration, parseSize, UNIT_MS } from "./durations.ts";

const MAX_CONCURRENCY = 1000;
const MIN_CONTEXT_BYTES = 1_000_000;
const MAX_CONTEXT_BYTES = 1_000_000_000_000;

const duration = (min: number, max: number, error: string) =>
  z
    .string()
    .transform((value) => parseDuration(value) ?? Number.NaN)
    .refine((ms) => ms >= min && ms <= max, { error });

const download = z.string().transform((value, context) => {
  try {
    return parseDownload(value);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.addIssue(`must be the address of a release of BuildKit with its checksum: ${reason}`);
    return z.NEVER;
  }
});

export const buildsVariables = {
  ...buildersVariables,
  /** Where to get BuildKit when the machine has none: an archive, with `#sha256=` and its checksum behind. */
  MILLRACE_BUILDKIT_URL: download.optional(),
  /** Has the buildx that machines without one get from this server. */
  MILLRACE_BUILDX_FOLDER: z.string().min(1, "must be a folder").optional(),
  /** A port for builders alone, beside the one of everything else. */
  MILLRACE_BUILDER_PORT: z
    .string()
    .regex(/^\d{1,5}$/, "must be a whole number from 0 to 65535")
    .transform(Number)
    .refine((port) => port <= 65_535, "must be a whole number from 0 to 65535")
    .optional(),
  /** How other replicas reach this server for builds that it has. */
  MILLRACE_BUILDER_ADDRESS: z
    .string()
    .regex(/^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i, "must be a host and a port, such as 10.0.1.11:3000")
    .optional(),
  /** Milliseconds that a builder stays warm after its last build. */
  MILLRACE_BUILDER_IDLE: duration(
    UNIT_MS.s,
    30 * UNIT_MS.d,
    "must be a time from 1s to 30d, such as 2m",
  ).default(2 * UNIT_MS.m),
  /** Builds that run on one builder at a time. */
  MILLRACE_BUILDER_CONCURRENCY: z
    .string()
    .regex(/^\d{1,4}$/, `must be a whole number from 1 to ${MAX_CONCURRENCY}`)
    .transform(Number)
    .refine(
      (count) => count >= 1 && count <= MAX_CONCURRENCY,
      `must be a whole number from 1 to ${MAX_CONCURRENCY}`,
    )
    .default(8),
  /** `network.host`, `security.insecure`, `device`: what builds may ask for beyond an ordinary one. */
  MILLRACE_BUILDER_ENTITLEMENTS: z
    .string()
    .default("")
    .transform((value) =>
      value
        .split(",")
        .map((each) => each.trim())
        .filter((each) => each !== ""),
    )
    .refine((names) => names.every((name) => /^(?:network\.host|security\.insecure|device)$/.test(name)), {
      error: "must be one or more of network.host, security.insecure and device, separated by commas",
    }),
  /** The longest build, in milliseconds. */
  MILLRACE_BUILD_TIMEOUT: duration(
    10 * UNIT_MS.s,
    7 * UNIT_MS.d,
    "must be a time from 10s to 7d, such as 60m",
  ).default(60 * UNIT_MS.m),
  /** The largest build context, in bytes. */
  MILLRACE_BUILD_CONTEXT_LIMIT: z
    .string()
    .transform((value) => parseSize(value) ?? Number.NaN)
    .refine((bytes) => bytes >= MIN_CONTEXT_BYTES && bytes <= MAX_CONTEXT_BYTES, {
      error: "must be a size from 1MB to 1TB, such as 10GB",
    })
    .default(10_000_000_000),
  /** How long records and logs of builds are kept, in milliseconds. */
  MILLRACE_BUILD_RETENTION: retention.default(30 * UNIT_MS.d),
};
