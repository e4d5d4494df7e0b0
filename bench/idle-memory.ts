/**
 * The memory of an idle server: resident memory some seconds after its start, with the index of the documentation, accounts and
 * an empty data folder, started like the image.
 *
 *   npm run build && node bench/idle-memory.ts
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SERVER_ENVIRONMENT, SERVER_FLAGS } from "../scripts/server-flags.mjs";
import { root } from "#server/pages/build-folders.ts";

const STARTS = 5;
/** By then the start-up work is done. */
const IDLE_MS = 10_000;
const KB_PER_MB = 1_000_000 / 1024;
const GOAL_MB = 200;

const resident: number[] = [];
for (let start = 0; start < STARTS; start += 1) resident.push(await measure());
resident.sort((a, b) => a - b);
console.log(
  `Resident, MB, ${IDLE_MS / 1000} s after each of ${STARTS} starts: ${resident.map((mb) => mb.toFixed(0)).join(", ")} (goal: ${GOAL_MB}).`,
);
console.log(`Node ${process.version}, ${cpus().length} cores, load average ${loadavg()[0]?.toFixed(1)}.`);

async function measure(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-idle-"));
  const server = spawn(process.execPath, [...SERVER_FLAGS, "src/server/main.ts"], {
    cwd: root,
    env: { ...process.env, ...SERVER_ENVIRONMENT, PORT: "0", HOST: "127.0.0.1", DATA_DIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await started(server);
    await sleep(IDLE_MS);
    const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / KB_PER_MB;
  } finally {
    server.kill();
    if (server.exitCode === null) await once(server, "exit");
    rmSync(folder, { recursive: true, force: true });
  }
}

async function started(server: ChildProcess): Promise<void> {
  let output = "";
  for await (const chunk of server.stdout ?? []) {
    output += String(chunk);
    if (output.includes("Millrace is at")) return;
  }
  throw new Error(`The server ended:\n${output}`);
}
