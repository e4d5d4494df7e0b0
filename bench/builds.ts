/**
 * Builds through Millrace compared with plain `buildx` and its own `buildkitd`, in one run and in turn. Needs no network. Needs
 * root, runc, slirp4netns, busybox-static, and a disk that supports overlays.
 *
 *   node bench/builds.ts                         everything; prints one table
 *   node bench/builds.ts --runs 15               rounds of builds and starts
 *   node bench/builds.ts --only times,start      times: no change, one file, cold; start: of a builder;
 *                                                parts: of `millrace build`;
 *                                                running: builds that sleep; queued: builds that wait
 *   node bench/builds.ts --queued 200 --seconds 20 --folder /var/tmp
 */
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs, promisify } from "node:util";
import { comesTrue, descendants } from "../tests/attack/processes.ts";
import { buildCli } from "../tests/clients/cli-process.ts";
import { makeFolder, runChosen } from "./cache/report.ts";
import {
  addRemote,
  askEndpoint,
  type Client,
  createBuild,
  finishBuild,
  openBuildx,
  openCli,
  openThroughPort,
} from "./builds/clients.ts";
import { runQueued, runSleeping } from "./builds/server-runs.ts";
import { findTools, type Server, startBuildkitd, startMillrace, writeContext } from "./builds/stage.ts";
import { median, printTable, type Row } from "./builds/table.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "7" },
    only: { type: "string", default: "times,parts,start,running,queued" },
    queued: { type: "string", default: "200" },
    seconds: { type: "string", default: "15" },
    folder: { type: "string", default: "/var/tmp" },
  },
});
const rounds = Number(values.runs);
const tools = await findTools(makeFolder(values.folder, "builds"));
const rows: Row[] = [];

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return (performance.now() - before) / 1000;
}

interface Stage {
  server: Server;
  projectId: string;
  plain: Client;
  context: (name: string) => string;
}

async function withBoth(name: string, work: (stage: Stage) => Promise<void>): Promise<void> {
  const context = (peer: string) => join(tools.folder, `${name}-${peer}`);
  const daemon = await startBuildkitd(tools, `${name}-buildkitd`);
  const server = await startMillrace(tools, `${name}-server`);
  try {
    const plain = await openBuildx(tools, writeContext(context("plain")), {
      at: `${name}-buildx`,
      address: daemon.address,
    });
    await work({ server, projectId: await server.createProject(name), plain, context });
  } finally {
    await server.stop();
    await daemon.stop();
  }
}

const KINDS = ["no change", "one file", "cold"] as const;
type Kind = (typeof KINDS)[number];
const PEERS = ["plain", "port", "cli"] as const;
type Peer = (typeof PEERS)[number];

async function openPeers({ server, projectId, plain, context }: Stage): Promise<Record<Peer, Client>> {
  const main = await buildCli(join(tools.folder, "package"));
  const at = writeContext(context("port"));
  const cli = openCli(tools, server, { main, projectId, context: writeContext(context("cli")) });
  const { client: port } = await openThroughPort(tools, server, {
    context: at,
    buildId: await createBuild(server, projectId),
  });
  return { plain, port, cli };
}

const allowed = (plain: readonly number[]) =>
  `at most ${(median(plain) * 1.1 + 0.3).toFixed(2)}: 10 % and 0.3 s more`;

let changes = 0;

async function measureBuild(client: Client, kind: Kind, context: string): Promise<number> {
  changes += 1;
  if (kind === "one file") writeFileSync(join(context, "app.py"), `print(${changes})\n`);
  return timed(() => client.build(kind === "cold" ? ["--no-cache"] : []));
}

async function runTimes(): Promise<void> {
  await withBoth("times", async (stage) => {
    const clients = await openPeers(stage);
    const found = new Map(KINDS.map((kind) => [kind, { plain: [], port: [], cli: [] } as Times]));
    for (const peer of PEERS) await clients[peer].build();
    for (let round = 0; round < rounds; round += 1)
      for (const [kind, times] of found)
        // Alternate the order, so that neither peer is always first.
        for (const peer of round % 2 ? PEERS.toReversed() : PEERS)
          times[peer].push(await measureBuild(clients[peer], kind, stage.context(peer)));
    for (const [kind, { plain, port, cli }] of found)
      rows.push(
        { name: `${kind}: buildx through the port`, unit: "s", plain, millrace: port },
        { name: `${kind}: millrace build`, unit: "s", plain, millrace: cli, goal: allowed(plain) },
      );
  });
}

type Times = Record<Peer, number[]>;

const hasBuilder = ({ pid }: Server) =>
  descendants(pid).some((each) => {
    try {
      return readFileSync(`/proc/${each}/cmdline`, "utf8").includes("buildkitd");
    } catch {
      // The process has ended meanwhile.
      return false;
    }
  });
const STOP_MS = 60_000;

/** The overhead of `millrace build` besides the build, measured separately: its own start, and each call of the server. */
async function runParts(): Promise<void> {
  await withBoth("parts", async ({ server, projectId, context }) => {
    const main = await buildCli(join(tools.folder, "parts-package"));
    const at = writeContext(context("port"));
    const parts = new Map<string, number[]>();
    const note = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const before = performance.now();
      const result = await work();
      const known = parts.get(name) ?? [];
      parts.set(name, [...known, performance.now() - before]);
      return result;
    };
    for (let round = 0; round <= rounds; round += 1) {
      // The first round starts the builder.
      if (round === 1) parts.clear();
      await note("start of the CLI", () => promisify(execFile)(process.execPath, [main, "--version"]));
      const buildId = await note("CreateBuild", () => createBuild(server, projectId));
      const endpoint = await note("GetEndpoint of a warm builder", () => askEndpoint(server, buildId));
      const remote = await note("buildx create", () => addRemote(tools, at, { buildId, endpoint }));
      await note("buildx build, no change", () => remote.build());
      await note("FinishBuild", () => finishBuild(server, buildId));
    }
    for (const [name, millrace] of parts)
      rows.push({ name: `part of millrace build: ${name}`, unit: "ms", millrace, digits: 0 });
  });
}

async function startBuilderOnce(server: Server, projectId: string): Promise<number> {
  const buildId = await createBuild(server, projectId);
  const seconds = await timed(() => askEndpoint(server, buildId));
  await finishBuild(server, buildId);
  if (!(await comesTrue(() => !hasBuilder(server), STOP_MS)))
    throw new Error("An idle builder does not end.");
  return seconds;
}

async function startPlainOnce(name: string): Promise<number> {
  const before = performance.now();
  const daemon = await startBuildkitd(tools, name);
  const seconds = (performance.now() - before) / 1000;
  await daemon.stop();
  return seconds;
}

/** Time until a client may connect: for a project's first build, and for one whose builder has stopped. */
async function runStart(): Promise<void> {
  const server = await startMillrace(tools, "start-server", "1s");
  const first: { plain: number[]; millrace: number[] } = { plain: [], millrace: [] };
  const again: typeof first = { plain: [], millrace: [] };
  try {
    for (let round = 0; round < rounds; round += 1) {
      const projectId = await server.createProject(`start-${round}`);
      for (const times of [first, again]) {
        times.plain.push(await startPlainOnce(`start-${round}`));
        times.millrace.push(await startBuilderOnce(server, projectId));
      }
    }
  } finally {
    await server.stop();
  }
  rows.push(
    { name: "start of a builder, the first of a project", unit: "s", ...first },
    { name: "start of a builder that had stopped", unit: "s", ...again },
  );
}

async function runRunning(): Promise<void> {
  const server = await startMillrace(tools, "running-server");
  try {
    rows.push(...(await runSleeping(tools, server, Number(values.seconds))));
  } finally {
    await server.stop();
  }
}

async function runQueue(): Promise<void> {
  await withBoth("queued", async ({ server, projectId, plain, context }) => {
    const at = writeContext(context("port"));
    await plain.build();
    const first = await openThroughPort(tools, server, {
      context: at,
      buildId: await createBuild(server, projectId),
    });
    await first.client.build();
    await first.finish();
    const count = Number(values.queued);
    rows.push(...(await runQueued(tools, server, { projectId, context: at, count, plain })));
  });
}

await runChosen(
  { times: runTimes, parts: runParts, start: runStart, running: runRunning, queued: runQueue },
  values.only,
).finally(() => printTable(rows));
process.exit(0);
