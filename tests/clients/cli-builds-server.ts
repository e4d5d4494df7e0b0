/** The builds of the small Millrace for tests of the CLI, in memory. */
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, type ConnectRouter, type HandlerContext } from "@connectrpc/connect";
import { BuildSchema, BuilderService, BuildService, type Build } from "../../cli/src/client.ts";

export interface CliBuilds {
  /** By id, in the order of creation. */
  records: Map<string, Build>;
  /** The requests of CreateBuild. */
  created: { projectId: string; save: boolean; saveTags: string[]; labels: { [name: string]: string } }[];
  /** Calls with their builds: `finish bld_… succeeded sha256:…`. */
  calls: string[];
  /** How often GetEndpoint asks the client to try again. */
  waits: number;
  /** GetEndpoint refuses with this. */
  refusal: ConnectError | undefined;
  /** A build ends with this reason while its client waits for a builder. */
  endWhileWaiting: string | undefined;
  /** The builders' address and credentials. */
  endpoint: {
    address: string;
    serverName: string;
    caCertificate: string;
    clientCertificate: string;
    clientKey: string;
  };
  /** Lines of each log. */
  lines: string[];
  /** The stream of a log breaks off after so many lines, once. */
  breakAfter: number | undefined;
}

export const createCliBuilds = (): CliBuilds => ({
  records: new Map(),
  created: [],
  calls: [],
  waits: 0,
  refusal: undefined,
  endWhileWaiting: undefined,
  endpoint: {
    address: "tcp://127.0.0.1:1",
    serverName: "builder",
    caCertificate: "ca\n",
    clientCertificate: "certificate\n",
    clientKey: "key\n",
  },
  lines: [],
  breakAfter: undefined,
});

export function addBuild(builds: CliBuilds, init: MessageInitShape<typeof BuildSchema>): Build {
  const id = `bld_${String(builds.records.size).padStart(10, "0")}`;
  const build = create(BuildSchema, { id, organization: "acme", project: "web", state: "queued", ...init });
  builds.records.set(build.id, build);
  return build;
}

export function addBuildServices(
  router: ConnectRouter,
  builds: CliBuilds,
  caller: (context: HandlerContext) => unknown,
): void {
  const find = (id: string): Build => {
    const build = builds.records.get(id);
    if (!build) throw new ConnectError("build was not found", Code.NotFound);
    return build;
  };
  const end = (build: Build, state: string, error = ""): Build => {
    if (!/^(?:queued|running)$/.test(build.state))
      throw new ConnectError(`the build is ${build.state}`, Code.FailedPrecondition);
    return Object.assign(build, {
      state,
      error,
      finishedAt: timestampFromMs(Date.UTC(2026, 10, 3, 10, 0, 12)),
    });
  };
  router.service(BuildService, {
    createBuild({ projectId, save, saveTags, labels, branch, commitSha }, context) {
      caller(context);
      builds.created.push({ projectId, save, saveTags, labels });
      return { build: addBuild(builds, { projectId, labels, branch, commitSha, saveTags }) };
    },
    getBuild({ buildId }, context) {
      caller(context);
      return { build: find(buildId) };
    },
    // Pages of two, so that a list has several.
    listBuilds({ projectId, states, pageToken, pageSize }, context) {
      caller(context);
      const all = [...builds.records.values()]
        .toReversed()
        .filter(
          (build) => build.projectId === projectId && (states.length === 0 || states.includes(build.state)),
        );
      const start = Number(pageToken || 0);
      const next = start + Math.min(2, pageSize);
      return { builds: all.slice(start, next), nextPageToken: next < all.length ? String(next) : "" };
    },
    async *streamLogs({ buildId, after }, context) {
      caller(context);
      find(buildId);
      builds.calls.push(`logs ${buildId} after ${after}`);
      for (const [at, text] of builds.lines.entries()) {
        const sequence = BigInt(at + 1);
        if (sequence <= after) continue;
        if (builds.breakAfter === at) {
          builds.breakAfter = undefined;
          throw new ConnectError("the server is about to restart", Code.Unavailable);
        }
        yield { sequence, step: "#5", stream: "stdout", text };
        yield { sequence, step: "", stream: "status", text: "still running, 15 s" };
      }
    },
    explainStep: () => ({ summary: "requirements.txt differs from that of bld_before" }),
    finishBuild({ buildId, succeeded, error, digest }, context) {
      caller(context);
      builds.calls.push(`finish ${buildId} ${succeeded ? "succeeded" : error} ${digest}`.trim());
      return { build: end(find(buildId), succeeded ? "succeeded" : "failed", error) };
    },
    cancelBuild({ buildId }, context) {
      caller(context);
      builds.calls.push(`cancel ${buildId}`);
      return { build: end(find(buildId), "canceled") };
    },
  });
  router.service(BuilderService, {
    getEndpoint({ buildId, platform }, context) {
      caller(context);
      const build = find(buildId);
      builds.calls.push(`endpoint ${buildId} ${platform}`);
      if (builds.refusal) throw builds.refusal;
      if (builds.endWhileWaiting !== undefined) {
        end(build, "canceled", builds.endWhileWaiting);
        throw new ConnectError(`build ${buildId} has already ended`, Code.FailedPrecondition);
      }
      if (builds.waits-- > 0) throw new ConnectError("all places are taken", Code.DeadlineExceeded);
      build.state = "running";
      return builds.endpoint;
    },
    listPlatforms: () => ({ platforms: ["linux/amd64"] }),
  });
}
