/** Downloads a release into a folder that is removed afterwards: complete and with the given checksum, or not at all. */
import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { fetchTo } from "../machine/download-buildkitd.ts";
import { SetupError } from "./run-command.ts";
import type { Release } from "./versions.ts";

const run = promisify(execFile);
const REACH_MS = 5_000;
const UNPACK_MS = 2 * 60_000;

/** Whether its host answers; many machines only reach package mirrors. */
export async function isReachable(url: string): Promise<boolean> {
  try {
    const { status } = await fetch(url, {
      method: "HEAD",
      redirect: "manual",
      signal: AbortSignal.timeout(REACH_MS),
    });
    return status < 400;
  } catch {
    return false;
  }
}

/** @param inside the file in its archive; absent: the release is not an archive. @returns the file. @throws SetupError */
export async function downloadRelease(
  { url, sha256 }: Release,
  work: string,
  inside?: string,
): Promise<string> {
  const file = join(work, "release");
  const found = await fetchTo(url, file).catch((error: Error) => {
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    throw new SetupError(
      `The download of ${url} failed (${cause}), and nothing was kept. Run setup-builders again, or with --source to build from source.`,
      { cause: error },
    );
  });
  if (found !== sha256)
    throw new SetupError(
      `The download from ${url} has the checksum ${found}, not ${sha256}, and nothing was kept. Something between this machine and that address changes downloads: run setup-builders with --source to build from source.`,
    );
  if (inside === undefined) return file;
  const folder = join(work, "unpacked");
  await mkdir(folder, { recursive: true });
  await run(
    "tar",
    ["--extract", "--gzip", "--no-same-owner", "--file", file, "--directory", folder, inside],
    { timeout: UNPACK_MS },
  );
  return join(folder, inside);
}
