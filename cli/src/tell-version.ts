/** Prints one line if the server hands out another CLI than this one: at most once a day for each server. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findCredentialsFile } from "./credentials.ts";
import { findInstallation } from "./installation.ts";
import type { Invocation, Session } from "./session.ts";
import { readVersion } from "./version.ts";

const FILE = "versions.json";
const MAX_SERVERS = 100;
/** These commands serve other programs, or handle versions themselves. */
const SILENT = new Set(["gocache", "completion", "upgrade"]);

export async function tellVersion(call: Invocation, { origin, offered = "" }: Session): Promise<void> {
  const { terminal, flags, command, env } = call;
  if (!terminal.screen || SILENT.has(command.name) || flags.text("--output") === "json") return;
  if (!(await isFirstToday(env, origin))) return;
  const { command: run } = await findInstallation();
  terminal.err(
    `millrace: this is millrace ${readVersion()}, and the server at ${origin} is ${relationOf(offered)}. To install the server's version, run: ${run(origin, offered)}\n`,
  );
}

/** `newer (0.2.0)`; the same version may have been built from other sources. */
function relationOf(offered: string): string {
  const [version = ""] = offered.split("-");
  const order = compare(version.split(".").map(Number), readVersion().split(".").map(Number));
  if (order === 0) return "a different build";
  return `${order > 0 ? "newer" : "older"} (${version})`;
}

const compare = (left: number[], right: number[]): number =>
  left.map((each, at) => Math.sign(each - (right[at] ?? 0))).find((order) => order !== 0) ?? 0;

/** Also false if the day cannot be stored: otherwise every command would print the line. */
async function isFirstToday(env: NodeJS.ProcessEnv, origin: string): Promise<boolean> {
  const path = join(dirname(findCredentialsFile(env).path), FILE);
  const today = new Date().toISOString().slice(0, 10);
  const told = new Map(Object.entries(await readTold(path)));
  if (told.get(origin) === today) return false;
  told.delete(origin);
  told.set(origin, today);
  const kept = Object.fromEntries([...told].slice(-MAX_SERVERS));
  return mkdir(dirname(path), { recursive: true, mode: 0o700 })
    .then(() => writeFile(path, `${JSON.stringify(kept)}\n`, { mode: 0o600 }))
    .then(
      () => true,
      () => false,
    );
}

async function readTold(path: string): Promise<{ [origin: string]: unknown }> {
  try {
    const known: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof known === "object" && known !== null ? { ...known } : {};
  } catch {
    // An absent or damaged file is harmless: it only stores days.
    return {};
  }
}
