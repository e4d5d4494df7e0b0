/** A builder's requests to its buildkitd: whether it is ready, and its layer cache's size, also saved for when it does not run. */
import { execFile } from "node:child_process";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { z } from "zod";
import { Control } from "../gen/buildkit/control_pb.ts";

const run = promisify(execFile);
const FILE = "usage.json";
const ASK_MS = 30_000;
const MEASURE_MS = 60_000;
const EVER_NANOSECONDS = 100n * 365n * 24n * 3_600n * 10n ** 9n;

export interface CacheUsage {
  bytes: number;
  /** Includes copies of contexts and cache mounts; 0 if only the bytes are known. */
  layers: number;
}

const savedUsage = z.object({ bytes: z.number().nonnegative(), layers: z.number().nonnegative() });

/** Whether buildkitd is ready; a starting one answers late. */
export const answers = (socket: string): Promise<boolean> =>
  clientOf(socket)
    .info({})
    .then(
      () => true,
      () => false,
    );

/** The cache's size, from the buildkitd at the socket. */
export async function askUsage(socket: string): Promise<CacheUsage> {
  const { record } = await clientOf(socket).diskUsage({});
  return { bytes: sum(record), layers: record.length };
}

/** Removes everything that no build is using. @returns freed bytes */
export const pruneAll = (socket: string): Promise<number> => prune(socket);

/** Removes what was never used: left by a step that was killed, or that failed on a full disk. */
export async function pruneUnused(socket: string): Promise<void> {
  await prune(socket, { keepDuration: EVER_NANOSECONDS });
}

async function prune(socket: string, only: { keepDuration?: bigint } = {}): Promise<number> {
  let bytes = 0;
  for await (const { size } of clientOf(socket).prune({ all: true, ...only })) bytes += Number(size);
  return bytes;
}

const sum = (records: readonly { size: bigint }[]) =>
  records.reduce((total, { size }) => total + Number(size), 0);

function clientOf(socket: string) {
  return createClient(
    Control,
    createGrpcTransport({
      // Ignored: only the socket counts.
      baseUrl: "http://localhost",
      defaultTimeoutMs: ASK_MS,
      idleConnectionTimeoutMs: 1_000,
      nodeOptions: { createConnection: () => connect(socket) },
    }),
  );
}

/** @param folder of the builder */
export async function saveUsage(folder: string, usage: CacheUsage): Promise<void> {
  const path = join(folder, FILE);
  await writeFile(`${path}.new`, JSON.stringify(usage));
  await rename(`${path}.new`, path);
}

/** The cache's size of a builder that does not run; measured if it was not saved because the server was killed. */
export async function readUsage(folder: string): Promise<CacheUsage> {
  const text = await readFile(join(folder, FILE), "utf8").catch(() => "");
  try {
    return savedUsage.parse(JSON.parse(text));
  } catch {
    return { bytes: await measure(join(folder, "cache")), layers: 0 };
  }
}

/** For a size that is out of date: the next read measures it. */
export const forgetUsage = (folder: string): Promise<void> => rm(join(folder, FILE), { force: true });

/** @returns 0 if it cannot be measured in time */
async function measure(folder: string): Promise<number> {
  const command = ["--summarize", "--one-file-system", "--block-size=1", folder];
  const { stdout } = await run("du", command, { timeout: MEASURE_MS }).catch(() => ({ stdout: "0" }));
  return Number.parseInt(stdout, 10) || 0;
}
