/** The environment of build measurements: Millrace in its own process, a plain `buildkitd`, buildx, a base image, a context. */
import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type BaseImage, writeBaseImage } from "../../tests/clients/builds/base-image.ts";
import { findBuildKit, findBuildx } from "../../tests/clients/registry/tools.ts";
import { type Peer, toPeer, TOKEN } from "../cache/peers.ts";

export interface Tools {
  /** The folder of `buildkitd` and `buildctl`. */
  programs: string;
  buildx: string;
  base: BaseImage;
  folder: string;
}

/** @param folder on a disk that supports overlays */
export async function findTools(folder: string): Promise<Tools> {
  const [programs, buildx] = [await findBuildKit(), await findBuildx()];
  const base = await writeBaseImage(join(folder, "base"));
  if (!programs || !buildx || !base)
    throw new Error("Builds are measured with buildkitd, buildx and busybox.");
  return { programs, buildx, base, folder };
}

export interface Server extends Pick<Peer, "pid" | "stop"> {
  origin: string;
  /** @param method `BuildService/GetBuild` @throws Error unless the call succeeds */
  call: (method: string, request: object) => Promise<Answer>;
  /** @returns its id */
  createProject: (name: string) => Promise<string>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
export type Answer = any;

/** Not a failure: the build still waits for a place. */
const WAITING = "deadline_exceeded";

/** `PROFILE=<folder>` writes a CPU profile there. */
const profile = process.env["PROFILE"];
const profiling = profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [];

export async function startMillrace(tools: Tools, name: string, idle = "10m"): Promise<Server> {
  const child = fork(join(import.meta.dirname, "server.ts"), [join(tools.folder, name)], {
    execArgv: ["--disable-warning=ExperimentalWarning", ...profiling],
    env: { ...process.env, BUILDKITD: join(tools.programs, "buildkitd"), MILLRACE_BUILDER_IDLE: idle },
  });
  // The server sends this when it listens.
  const [{ origin }] = (await once(child, "message")) as [{ origin: string }];
  const call: Server["call"] = async (method, request) => {
    for (;;) {
      const response = await fetch(`${origin}/api/millrace.v1.${method}`, {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify(request),
      });
      const answer = (await response.json()) as Answer;
      if (response.ok) return answer;
      if (answer.code !== WAITING) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    }
  };
  return {
    ...toPeer(child),
    origin,
    call,
    createProject: async (project) => (await call("ProjectService/Create", { name: project })).project.id,
  };
}

export interface Daemon {
  /** `unix://…` */
  address: string;
  stop: () => Promise<void>;
}

/** Started as a user would start it. @returns when it answers */
export async function startBuildkitd({ programs, folder }: Tools, name: string): Promise<Daemon> {
  const home = join(folder, name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, "buildkitd.toml"), "");
  const address = `unix://${join(home, "b.sock")}`;
  const args = [
    ["--addr", address, "--root", join(home, "root")],
    ["--config", join(home, "buildkitd.toml")],
    ["--otel-socket-path", join(home, "otel.sock"), "--containerd-worker=false"],
  ].flat();
  const child: ChildProcess = spawn(join(programs, "buildkitd"), args, { stdio: "ignore" });
  const { stop } = toPeer(child);
  const ask = ["--addr", address, "debug", "workers"];
  while (spawnSync(join(programs, "buildctl"), ask, { stdio: "ignore" }).status !== 0) {
    if (child.exitCode !== null) throw new Error("buildkitd has ended: it needs root and runc.");
    await sleep(10);
  }
  return { address, stop };
}

/** Two stages and seven steps, of which three run commands; a change of `app.py` reruns the last two. */
const DOCKERFILE = `FROM base AS installed
WORKDIR /app
COPY requirements.txt ./
RUN seq 1 100000 | sha256sum > installed.txt
RUN mkdir lib && for i in $(seq 1 50); do cp installed.txt lib/$i.txt; done
FROM base
WORKDIR /app
COPY --from=installed /app/lib ./lib
COPY app.py ./
RUN cat app.py lib/1.txt > all.txt
`;

export const SLEEP_DOCKERFILE = `FROM base
ARG NUMBER
RUN echo "step $NUMBER" begun && sleep 600
`;

export function writeContext(folder: string, dockerfile = DOCKERFILE): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "Dockerfile"), dockerfile);
  writeFileSync(join(folder, "requirements.txt"), "flask==3.1.2\n");
  writeFileSync(join(folder, "app.py"), "print(0)\n");
  return folder;
}
