/**
 * Docker's buildx from the server, for a machine that has none. A server's program is run for that server only:
 *
 *   ~/.cache/millrace/programs/<host of the server>/buildx
 */
import { randomBytes } from "node:crypto";
import { chmod, mkdir, open, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { download, readText, writeTo } from "../download.ts";
import { CliError, errorCode } from "../errors.ts";
import { cleanText } from "../text.ts";

const MAX_PROGRAM_BYTES = 512 * 1024 * 1024;
const MAX_SUM_BYTES = 4096;
/** Go's names where Node.js uses others. */
const OS: { [platform: string]: string } = { win32: "windows" };
const ARCH: { [arch: string]: string } = { x64: "amd64" };

/** The server's name for this machine's program: `buildx-linux-amd64`. */
const programName = (): string =>
  `buildx-${OS[process.platform] ?? process.platform}-${ARCH[process.arch] ?? process.arch}`;

export function programsFolder(origin: string): string {
  const host = new URL(origin).host.replaceAll(/[^a-z0-9.-]/gi, "_");
  return join(homedir(), ".cache", "millrace", "programs", host);
}

/** The program's path, whether or not it exists. */
export const fetchedBuildx = (origin: string): string =>
  join(programsFolder(origin), process.platform === "win32" ? "buildx.exe" : "buildx");

/** @param say called once, after the download. @returns the program's path. @throws CliError, and leaves no file */
export async function fetchBuildx(
  env: NodeJS.ProcessEnv,
  origin: string,
  say: (line: string) => void,
): Promise<string> {
  const name = programName();
  const url = new URL(`/cli/${name}`, origin);
  const sum = await download(env, new URL(`${url}.sha256`), { maxBytes: MAX_SUM_BYTES });
  const expected = sum && /^([0-9a-f]{64})\s/.exec(await readText(sum))?.[1];
  const program = sum && (await download(env, url, { maxBytes: MAX_PROGRAM_BYTES }));
  if (!program) throw noBuildx(origin, name);
  const path = fetchedBuildx(origin);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(programsFolder(origin), { recursive: true, mode: 0o700 });
    const file = await open(draft, "wx", 0o600);
    const { bytes, sha256 } = await writeTo(file, program).finally(() => file.close());
    if (sha256 !== expected)
      throw new CliError(
        `${url} was damaged in transit: its SHA-256 is ${sha256}, expected ${expected ?? "unknown"}. Something between here and the server cut it off or changed it: try again`,
      );
    await chmod(draft, 0o755);
    await rename(draft, path);
    say(`millrace: fetched Docker's buildx from ${origin} (${Math.round(bytes / 1e6)} MB)\n`);
    return path;
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    if (error instanceof CliError || errorCode(error) === "") throw error;
    const reason = errorCode(error) === "ENOSPC" ? "the disk is full" : errorCode(error);
    throw new CliError(
      `${path} cannot be written (${reason}): free 100 MB on that disk, or set MILLRACE_BUILDX to a buildx program`,
      undefined,
      error,
    );
  }
}

const noBuildx = (origin: string, name: string): CliError =>
  new CliError(
    `there is no buildx on this machine, and ${cleanText(origin)} does not provide it: install Docker's buildx plugin ` +
      `(https://github.com/docker/buildx#installing), set MILLRACE_BUILDX to its program, or ask the server's operator for ${name}`,
  );
