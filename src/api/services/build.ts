import { Code, ConnectError } from "@connectrpc/connect";
import type { Build, Builds, LogLine, Step } from "#builds/index.ts";
import { type Call, createKept, type ServiceMethods } from "../calls/call.ts";
import { invalidArgument } from "../calls/errors.ts";
import type { BuildService } from "../gen/millrace/v1/build_service_pb.ts";
import { toTimestamp } from "./convert.ts";

export const buildMethods: ServiceMethods<typeof BuildService> = {
  async createBuild(call, { projectId, save, saveTags, labels, branch, commitSha }) {
    const builds = requireBuilds(call);
    const input = { projectId, save, saveTags, labels, branch, commitSha };
    return createKept(
      call,
      (caller) => builds.create(caller, input),
      (build) => ({ build: toMessage(build) }),
    );
  },

  async getBuild(call, { buildId }) {
    return { build: toMessage(await requireBuilds(call).get(call, buildId)) };
  },

  async listBuilds(call, request) {
    const { builds, nextPageToken, counts } = await requireBuilds(call).list(call, request);
    return { builds: builds.map(toMessage), nextPageToken, counts };
  },

  async *streamLogs(call, { buildId, after }, signal) {
    if (after < 0n)
      throw invalidArgument("after is below 0; it must be the sequence of a line, or 0", "after");
    const lines = requireBuilds(call).logs(call, { buildId, after: Number(after) }, signal);
    for await (const line of lines) yield toLine(line);
  },

  async *watchBuild(call, { buildId }, signal) {
    for await (const { build, steps } of requireBuilds(call).watch(call, buildId, signal))
      yield { ...(build && { build: toMessage(build) }), steps: steps.map(toStep) };
  },

  async explainStep(call, { buildId, stepId }) {
    const { causes, ...explanation } = await requireBuilds(call).explain(call, { buildId, stepId });
    return { ...explanation, causes: [...causes] };
  },

  async finishBuild(call, { buildId, succeeded, error, digest }) {
    const build = await requireBuilds(call).finish(call, { buildId, succeeded, error, digest });
    return { build: toMessage(build) };
  },

  async cancelBuild(call, { buildId }) {
    return { build: toMessage(await requireBuilds(call).cancel(call, buildId)) };
  },
};

export function requireBuilds({ builds }: Call): Builds {
  if (builds) return builds;
  throw new ConnectError("Container builds are not part of this server yet.", Code.Unimplemented);
}

const toMessage = ({ createdAt, startedAt, finishedAt, ...build }: Build) => ({
  ...build,
  createdAt: toTimestamp(createdAt),
  startedAt: toTimestamp(startedAt),
  finishedAt: toTimestamp(finishedAt),
  steps: build.steps.map(toStep),
  labels: { ...build.labels },
  saveTags: [...build.saveTags],
  platforms: [...build.platforms],
  logLines: BigInt(build.logLines),
  savedMs: BigInt(build.savedMs),
  usualMs: BigInt(build.usualMs),
  contextBytes: BigInt(build.contextBytes),
  warnings: [...build.warnings],
  attestations: [...build.attestations],
  inputs: build.inputs
    ? {
        ...build.inputs,
        arguments: { ...build.inputs.arguments },
        namedContexts: { ...build.inputs.namedContexts },
      }
    : undefined,
  criticalPath: [...build.criticalPath],
  regression: build.regression ?? undefined,
  failure: build.failure ?? undefined,
  source: build.source ? { ...build.source, lines: [...build.source.lines] } : undefined,
  job: build.job ?? undefined,
});

const toStep = ({ startedAt, finishedAt, durationMs, savedMs, logLines, inputs, ...step }: Step) => ({
  ...step,
  startedAt: toTimestamp(startedAt),
  finishedAt: toTimestamp(finishedAt),
  durationMs: BigInt(durationMs),
  savedMs: BigInt(savedMs),
  logLines: BigInt(logLines),
  inputs: [...inputs],
});

const toLine = ({ sequence, time, ...line }: LogLine) => ({
  ...line,
  sequence: BigInt(sequence),
  time: toTimestamp(time),
});
