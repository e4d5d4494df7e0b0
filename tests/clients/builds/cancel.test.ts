/**
 * Builds of the CLI that are canceled by the API, by `millrace builds cancel` and by Ctrl-C: while they wait for a place,
 * while their builder starts, their context is sent, a step runs, their result is exported, their image is pushed.
 *
 * 1. The client ends, the record says who canceled the build, and the step, its place and its certificate are gone.
 * 2. Afterwards the builder builds; when the server has stopped, nothing is left of builders.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { placesOf } from "#builds/testing/machine.ts";
import { comesTrue } from "../../attack/processes.ts";
import { buildCli, makePlace, runCli } from "../cli-process.ts";
import { findBuildx } from "../registry/tools.ts";
import { addProject, type Client, createClient, type Project } from "./build-client.ts";
import { type BuildServer, OWNER_TOKEN, startBuildServer } from "./build-server.ts";
import { BUILD_MS, findBuildTools, findGroups, findProcesses, findTraces } from "./machine-stage.ts";

const [tools, buildx] = [await findBuildTools(), await findBuildx()];
const place = makePlace();
afterAll(() => {
  place.remove();
  if (tools) rmSync(tools.folder, { recursive: true, force: true });
});
const END_MS = 30_000;
/** Sent at some hundred megabytes a second, if no one cancels. */
const CONTEXT_BYTES = 20_000_000_000;
const SLEEP = "sleep 4321765";
const WAYS = ["api", "cli", "Ctrl-C"] as const;
type Way = (typeof WAYS)[number];

/** This machine's address, as builders reach it; undefined where it has no network. */
const address = Object.values(networkInterfaces())
  .flatMap((each) => each ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

interface Phase {
  dockerfile: string;
  args?: readonly string[];
  /** Runs before the client starts. */
  prepare?: (way: Way) => Promise<void> | void;
  isThere: (output: string) => boolean;
  /** Runs when the builds of all ways are canceled. */
  after?: () => Promise<void> | void;
}

describe.skipIf(!tools || !buildx)("a canceled build", { timeout: BUILD_MS }, () => {
  let server: BuildServer;
  let client: Client;
  let main: string;
  let registry: Server;
  let pushes = 0;
  const work = join(place.path, "work");
  const gate = join(tools?.folder ?? "", "gate");
  const projects = new Map<Way, Project>();
  const blockers: string[] = [];

  beforeAll(async () => {
    const buildkitd = join(tools!.programs, "buildkitd");
    const wrapper = join(tools!.folder, "buildkitd-behind-a-gate");
    writeFileSync(
      wrapper,
      `#!/bin/sh\n[ "$1" = --version ] || while [ -e ${gate} ]; do sleep 0.05; done\nexec ${buildkitd} "$@"\n`,
      {
        mode: 0o755,
      },
    );
    process.env["BUILDKITD"] = wrapper;
    main = await buildCli(join(place.path, "package"));
    server = await startBuildServer({
      folder: mkdtempSync(join(tools!.folder, "server-")),
      env: { MILLRACE_BUILDER_CONCURRENCY: "1" },
    });
    client = createClient(server.call, tools!);
    for (const way of WAYS) projects.set(way, await addProject(server.call, way.toLowerCase()));
    registry = createServer((request, response) => {
      // It takes the question of whether it is a registry, and nothing after that.
      if (request.method === "POST") pushes += 1;
      else response.writeHead(request.url === "/v2/" ? 200 : 404).end();
    });
    registry.listen(0, "0.0.0.0");
    await once(registry, "listening");
    mkdirSync(work);
  }, BUILD_MS);
  afterAll(() => {
    registry?.closeAllConnections();
    registry?.close();
  });

  const environment = () => ({
    HOME: place.home(),
    TMPDIR: place.path,
    MILLRACE_URL: server.origin,
    MILLRACE_TOKEN: OWNER_TOKEN,
    MILLRACE_BUILDX: buildx!,
  });

  function start(
    project: Project,
    { dockerfile, args = [] }: Phase,
  ): { child: ChildProcess; output: () => string } {
    const context = join(work, `${project.id}-${Math.random()}`);
    mkdirSync(context);
    writeFileSync(join(context, "Dockerfile"), dockerfile);
    writeFileSync(join(context, "large"), "");
    if (dockerfile.includes("large")) truncateSync(join(context, "large"), CONTEXT_BYTES);
    const words = ["build", "--project", project.id, "--progress", "plain", ...args];
    const base = ["--build-context", `base=oci-layout://${tools!.base.folder}@${tools!.base.digest}`];
    const child = spawn(process.execPath, [main, ...words, ...base, "."], {
      cwd: context,
      env: { PATH: process.env["PATH"], ...environment() },
      // Its standard output is not read, so that an export to it lasts.
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    return { child, output: () => output };
  }

  async function openBuilds(project: Project): Promise<string[]> {
    const { body } = await server.call("BuildService/ListBuilds", {
      project_id: project.id,
      states: ["queued", "running"],
    });
    return body.builds.map(({ id }: { id: string }) => id);
  }

  async function cancelBy(
    way: Way,
    { child, buildId }: { child: ChildProcess; buildId: string },
  ): Promise<void> {
    if (way === "api") {
      const { status, body } = await server.call("BuildService/CancelBuild", { build_id: buildId });
      expect([status, body.build?.state]).toEqual([200, "canceled"]);
    } else if (way === "cli") {
      const { code, stdout, stderr } = await runCli(main, ["builds", "cancel", buildId], {
        env: environment(),
      });
      expect([code, stdout, stderr]).toEqual([0, `${buildId} canceled\n`, ""]);
    } else child.kill("SIGINT");
  }

  const sleeping = `FROM base\nRUN echo begun && ${SLEEP}\n`;
  const phases: Record<string, Phase> = {
    "its builder starts": {
      dockerfile: "FROM base\n",
      prepare: () => writeFileSync(gate, ""),
      isThere: () =>
        findProcesses("buildkitd-behind-a-gate", placesOf(server.folder).runFolder).length >= WAYS.length,
      after: () => rmSync(gate),
    },
    "it waits for a place": {
      dockerfile: "FROM base\n",
      async prepare(way) {
        const project = projects.get(way)!;
        const buildId = await client.create(project);
        const { output } = client.solve(await client.reach(project, buildId), sleeping);
        expect(await comesTrue(() => output().includes(" begun\n"), END_MS), output()).toBe(true);
        blockers.push(buildId);
      },
      isThere: () => true,
      async after() {
        for (const buildId of blockers.splice(0))
          expect((await server.call("BuildService/CancelBuild", { build_id: buildId })).status).toBe(200);
      },
    },
    "its context is sent": {
      dockerfile: "FROM base\nCOPY large /\n",
      isThere: (output) => /transferring context: \d/.test(output),
    },
    "a step runs": {
      dockerfile: sleeping,
      isThere: (output) => /^#\d+ [\d.]+ begun$/m.test(output) && findProcesses(SLEEP).length > 0,
    },
    "its result is exported": {
      // More than a pipe takes.
      dockerfile: "FROM base\n",
      args: ["--output", "type=tar,dest=-"],
      isThere: (output) => /sending tarball/.test(output),
    },
    ...(address !== undefined && {
      "its image is pushed": {
        dockerfile: "FROM base\nRUN echo pushed > /pushed\n",
        get args() {
          const bound = registry.address();
          const port = typeof bound === "object" ? bound?.port : 0;
          return [
            "--output",
            `type=image,name=${address}:${port}/acme/web:1,push=true,registry.insecure=true`,
          ];
        },
        prepare: () => void (pushes = 0),
        isThere: () => pushes > 0,
      },
    }),
  };

  async function startAndCancel(way: Way, phase: Phase): Promise<void> {
    const project = projects.get(way)!;
    await phase.prepare?.(way);
    const before = new Set(await openBuilds(project));
    const { child, output } = start(project, phase);
    const ended = once(child, "exit");
    let buildId = "";
    const isThere = async () => {
      buildId = (await openBuilds(project)).find((id) => !before.has(id)) ?? "";
      return buildId !== "" && phase.isThere(output());
    };
    // A timeout reports the client's output.
    await expect
      .poll(isThere, { timeout: END_MS, interval: 50 })
      .toBe(true)
      .catch((error: unknown) => {
        throw new Error(`${way} ${buildId}: ${output()}`, { cause: error });
      });
    await cancelBy(way, { child, buildId });
    const [code] = await ended;
    const record = await client.read(buildId);
    const error = `Canceled by ${record.canceled_by}.`;
    expect(record, output()).toMatchObject({ state: "canceled", error });
    expect(record.canceled_by).not.toBe("");
    expect(output().trimEnd().split("\n").at(-1)).toMatch(new RegExp(`^${buildId} canceled`));
    expect(code, output()).toBe(way === "Ctrl-C" ? 130 : 1);
    expect((await openBuilds(project)).filter((id) => !before.has(id))).toEqual([]);
  }

  test.each(Object.keys(phases))("1. while %s", async (name) => {
    const phase = phases[name]!;
    try {
      await Promise.all(WAYS.map((way) => startAndCancel(way, phase)));
    } finally {
      await phase.after?.();
    }
    expect(await comesTrue(() => findProcesses(SLEEP).length === 0, END_MS)).toBe(true);
  });

  test("2. afterwards", async () => {
    for (const way of WAYS) {
      const { code, output, record } = await client.build(projects.get(way)!, "FROM base\nRUN echo again\n");
      expect([code, record.state], output).toEqual([0, "succeeded"]);
    }
    const { name, runFolder } = placesOf(server.folder);
    const { folder } = server;
    await server.close();
    expect(findTraces([folder, runFolder])).toEqual([]);
    expect(findGroups(name)).toEqual([]);
    expect(server.logged).toEqual([]);
  });
});
