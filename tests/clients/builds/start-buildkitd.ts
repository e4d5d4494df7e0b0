/** A buildkitd without isolation, as an operator would start one by hand. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { comesTrue } from "../../attack/processes.ts";

const START_MS = 60_000;

export interface Buildkitd {
  /** `unix://…` */
  address: string;
  close: () => Promise<void>;
}

/**
 * @param programs folder of `buildkitd`
 * @param folder for everything that it stores, on a disk: it lays layers over each other there
 * @param config its `buildkitd.toml`
 */
export async function startBuildkitd(programs: string, folder: string, config: string): Promise<Buildkitd> {
  const socket = join(folder, "b.sock");
  writeFileSync(join(folder, "buildkitd.toml"), config);
  const args = [
    ["--addr", `unix://${socket}`],
    ["--root", join(folder, "root")],
    ["--config", join(folder, "buildkitd.toml")],
    ["--otel-socket-path", join(folder, "otel.sock")],
    ["--containerd-worker=false"],
  ].flat();
  const daemon: ChildProcess = spawn(join(programs, "buildkitd"), args, {
    stdio: "ignore",
    env: { PATH: process.env["PATH"] ?? "", TMPDIR: folder },
  });
  if (!(await comesTrue(() => existsSync(socket), START_MS))) throw new Error("buildkitd did not start");
  return {
    address: `unix://${socket}`,
    async close() {
      if (daemon.exitCode !== null) return;
      const ended = once(daemon, "exit");
      daemon.kill("SIGTERM");
      await ended;
    },
  };
}
