import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { PowerDisk } from "../power-disk.ts";

export interface KillOptions {
  /** How often the process is killed. */
  kills: number;
  /** Seed of all random choices; the same seed makes the same choices, though not at the same moments. */
  seed: number;
  log: (line: string) => void;
  /** Its power is cut as soon as the process has been killed. */
  disk?: PowerDisk | undefined;
}

/** @returns a new folder, and what removes it */
export function openKillFolder(name: string, disk: PowerDisk | undefined) {
  const dataDir = disk?.dataDir ?? mkdtempSync(join(tmpdir(), `kill-${name}-`));
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir);
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

export interface KillReport {
  kills: number;
  /** How many writes were acknowledged. */
  acknowledged: number;
  /** Which of them were lost, in words. */
  lost: string[];
}

const adminKey = "the-key-of-the-kill-tests";
const START_MS = 60_000;

export interface ContentServer {
  /** The parsed answer; null when the server died before it had answered. */
  ask: (method: string, path: string, body?: unknown) => Promise<Answer | null>;
  /** Resolves when no task waits or runs. */
  settle: () => Promise<void>;
  kill: () => Promise<void>;
}

export interface Answer {
  status: number;
  // The caller knows what the address answers.
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any;
}

export async function startContentServer(folder: string, disk?: PowerDisk): Promise<ContentServer> {
  const child = startProcess(fileURLToPath(new URL("content-server.ts", import.meta.url)), [
    folder,
    adminKey,
  ]);
  const port = await waitForLine(child, /^listening (\d+)/m);
  const ask: ContentServer["ask"] = async (method, path, body) => {
    try {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { authorization: `Bearer ${adminKey}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: await response.json() };
    } catch {
      return null;
    }
  };
  return {
    ask,
    async settle() {
      for (let tries = 0; tries < 3000; tries++) {
        const waiting = await ask("GET", "/tasks?statuses=enqueued,processing&limit=1");
        if (waiting?.json.total === 0) return;
        await sleep(10);
      }
      throw new Error("The tasks did not come to an end.");
    },
    async kill() {
      await killProcess(child);
      disk?.cut();
    },
  };
}

export function startProcess(script: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, ["--disable-warning=ExperimentalWarning", script, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
}

/** With the signal that no process can handle. */
export async function killProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

async function waitForLine(child: ChildProcess, wanted: RegExp): Promise<string> {
  let output = "";
  const signal = AbortSignal.timeout(START_MS);
  for (;;) {
    const [chunk] = await Promise.race([
      once(child.stdout!, "data", { signal }),
      once(child, "exit", { signal }).then(([code]) => {
        throw new Error(`The server ended with code ${String(code)} before it listened.`);
      }),
    ]);
    output += String(chunk);
    const found = wanted.exec(output)?.[1];
    if (found !== undefined) return found;
  }
}

/** Numbers from 0 to below 1 that a seed repeats (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
