/** Variables of container builds. */
import { z } from "zod";
import { UNIT_MS } from "#platform/environment/durations.ts";
import {
  duration,
  list,
  parsed,
  retention,
  size,
  type Values,
  type Variables,
} from "#platform/environment/variables.ts";
import { parseDownload } from "../machine/download-buildkitd.ts";
import { builderVariables } from "./builder-variables.ts";

const MAX_CONCURRENCY = 1000;
const MIN_CONTEXT_BYTES = 1_000_000;
const MAX_CONTEXT_BYTES = 1_000_000_000_000;
const concurrency = `must be a whole number from 1 to ${MAX_CONCURRENCY}`;
const port = "must be a whole number from 0 to 65535";

export const buildVariables = {
  MILLRACE_BUILDER_PORT: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/, port)
      .transform(Number)
      .refine((value) => value <= 65_535, port)
      .optional(),
    about:
      "A port for builders only, with mutual TLS. Without it, builders are reached through the server's own port.",
    example: "8372",
    part: "container-builds",
  },
  MILLRACE_BUILDER_ADDRESS: {
    schema: z
      .string()
      .regex(/^(?:[\w.-]+|\[[\da-f:]+\]):\d{1,5}$/i, "must be a host and a port, such as 10.0.1.11:3000")
      .optional(),
    about:
      "How the other replicas reach this server for builds that run on it. Without it, `HOST` if that is one address, otherwise the machine's first address, with `MILLRACE_BUILDER_PORT` or `PORT`. The server opens a port other than `PORT` as if `MILLRACE_BUILDER_PORT` named it.",
    example: "10.0.1.11:3000",
    part: "container-builds",
  },
  /** In milliseconds. */
  MILLRACE_BUILDER_IDLE: {
    schema: duration(UNIT_MS.s, 30 * UNIT_MS.d, "must be a time from 1s to 30d, such as 2m").prefault("2m"),
    about: "How long a builder stays warm after its last build.",
    part: "container-builds",
  },
  MILLRACE_BUILDER_CONCURRENCY: {
    schema: z
      .string()
      .regex(/^\d{1,4}$/, concurrency)
      .transform(Number)
      .refine((count) => count >= 1 && count <= MAX_CONCURRENCY, concurrency)
      .prefault("8"),
    about: "Builds that run on one builder at a time.",
    part: "container-builds",
  },
  MILLRACE_BUILDER_ENTITLEMENTS: {
    schema: list
      .refine((names) => names.every((name) => /^(?:network\.host|security\.insecure|device)$/.test(name)), {
        error: "must be one or more of network.host, security.insecure and device, separated by commas",
      })
      .prefault(""),
    about:
      "What builds may ask for with `--allow`: `network.host`, `security.insecure`, `device`, separated by commas. Each lets a build step reach beyond its sandbox, into the machine. Without it, none.",
    example: "network.host,security.insecure",
    part: "container-builds",
  },
  MILLRACE_BUILDKIT_URL: {
    schema: parsed(
      parseDownload,
      (reason) => `must be the address of a release of BuildKit with its checksum: ${reason}`,
    ).optional(),
    about:
      "Where to get BuildKit if the machine does not have it. The address ends with the checksum of the archive.",
    example: "https://mirror.example.com/buildkit-v0.33.0.linux-amd64.tar.gz#sha256=<digits>",
    part: "container-builds",
  },
  MILLRACE_BUILDX_FOLDER: {
    schema: z.string().min(1, "must be a folder").optional(),
    about:
      "The folder with Docker's buildx for machines that do not have it. The server serves the files `buildx-<os>-<arch>` in it, such as `buildx-linux-amd64` or `buildx-darwin-arm64`, at `/cli/`.",
    default: "builders/programs in DATA_DIR",
    example: "/opt/millrace/programs",
    part: "container-builds",
  },
  ...builderVariables,
  /** In milliseconds. */
  MILLRACE_BUILD_TIMEOUT: {
    schema: duration(10 * UNIT_MS.s, 7 * UNIT_MS.d, "must be a time from 10s to 7d, such as 60m").prefault(
      "60m",
    ),
    about: "The maximum duration of a build.",
    part: "container-builds",
  },
  /** In bytes. */
  MILLRACE_BUILD_CONTEXT_LIMIT: {
    schema: size(
      MIN_CONTEXT_BYTES,
      MAX_CONTEXT_BYTES,
      "must be a size from 1MB to 1TB, such as 10GB",
    ).prefault("10GB"),
    about: "The maximum size of a build context, for each platform.",
    part: "container-builds",
  },
  /** In milliseconds. */
  MILLRACE_BUILD_RETENTION: {
    schema: retention.prefault("30d"),
    about: "How long build records and logs are kept.",
    part: "container-builds",
  },
} satisfies Variables;

export type BuildEnvironment = Values<typeof buildVariables>;
