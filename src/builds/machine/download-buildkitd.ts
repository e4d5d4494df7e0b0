/**
 * Downloads a release of BuildKit: an archive with `bin/buildkitd`, from an address that the operator names, possibly on their own
 * machine. Only an archive with the given checksum is unpacked, completely or not at all.
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { isKeptProgram, isProgram } from "./programs.ts";

const run = promisify(execFile);
/** For a release of about 80 MB. */
const MAX_BYTES = 512 * 1024 ** 2;
const DOWNLOAD_MS = 10 * 60 * 1000;
const UNPACK_MS = 2 * 60 * 1000;
const SHOWN_DIGITS = 16;

export interface Download {
  url: string;
  /** In hexadecimal digits. */
  sha256: string;
}

/**
 * @param text `https://example.com/buildkit-v0.33.0.linux-amd64.tar.gz#sha256=<64 digits>`
 * @throws Error that says what is wrong with it
 */
export function parseDownload(text: string): Download {
  const [address = "", checksum = ""] = text.split("#");
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Error("it is not an address that begins with https://");
  const sha256 = /^sha256=([0-9a-f]{64})$/i.exec(checksum)?.[1];
  if (sha256 === undefined)
    throw new Error("it must end with #sha256= and the 64 digits of the archive's checksum");
  return { url: url.href, sha256: sha256.toLowerCase() };
}

const placeOf = ({ sha256 }: Download, folder: string) =>
  join(folder, `buildkit-${sha256.slice(0, SHOWN_DIGITS)}`);

/** The path of the program after the download. */
export const programOf = (download: Download, folder: string): string =>
  join(placeOf(download, folder), "bin/buildkitd");

/** @returns the path of `buildkitd`, immediately if it was downloaded before. @throws Error that says what failed */
export async function downloadBuildkitd(download: Download, folder: string): Promise<string> {
  const { url, sha256 } = download;
  const place = placeOf(download, folder);
  const program = programOf(download, folder);
  if (await isKeptProgram(program)) return program;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = await mkdtemp(join(folder, "download-"));
  try {
    const archive = join(temporary, "archive");
    const found = await fetchTo(url, archive);
    if (found !== sha256) throw new Error(`its checksum is ${found}, not ${sha256}`);
    const unpacked = join(temporary, "unpacked");
    await mkdir(unpacked);
    await run("tar", ["--extract", "--gzip", "--no-same-owner", "--file", archive, "--directory", unpacked], {
      timeout: UNPACK_MS,
    });
    if (!(await isProgram(join(unpacked, "bin/buildkitd"))))
      throw new Error("the archive has no bin/buildkitd");
    // Another process may have been faster, with the same bytes.
    await rename(unpacked, place).catch(async (error: unknown) => {
      if (!(await isProgram(program))) throw error;
    });
    return program;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Could not get BuildKit from ${url} (MILLRACE_BUILDKIT_URL): ${reason}`, {
      cause: error,
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** @returns the checksum */
export async function fetchTo(url: string, path: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) });
  if (!response.ok || !response.body) throw new Error(`it responded with status ${response.status}`);
  const hash = createHash("sha256");
  await pipeline(
    response.body,
    takeAtMost(MAX_BYTES, (piece) => hash.update(piece)),
    createWriteStream(path),
  );
  return hash.digest("hex");
}

/** For a pipeline. @throws Error when there are more bytes */
export const takeAtMost = (most: number, look?: (piece: Uint8Array) => void) =>
  async function* take(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const piece of source) {
      bytes += piece.length;
      if (bytes > most) throw new Error(`it has more than ${most} bytes`);
      look?.(piece);
      yield piece;
    }
  };
