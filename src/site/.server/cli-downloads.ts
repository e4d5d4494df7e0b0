/**
 * The command-line tool that this server hands out, and buildx for machines that have none:
 *
 *   /install.sh, /install.ps1, /cli/millrace.tgz   from the build, in memory
 *   /cli/buildx-linux-amd64                        from the operator's folder, with its checksum at `….sha256`
 */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Context, Hono } from "hono";
import { BUILT_ADDRESS, fillBuiltAddress, siteAddress } from "#docs/address/site-address.ts";
import { answerAsText } from "#platform/http/failure.ts";
import { hasEntityTag } from "#platform/http/negotiation.ts";
import { loadStaticFiles, serveStaticFile, type StaticFiles } from "#platform/http/static-files.ts";
import { nameCli } from "#platform/house/name-cli.ts";
import { markShared } from "#platform/http/connections/unsent-answers.ts";
import type { Edge } from "#platform/house/edge.ts";
import type { Mount } from "#platform/house/room.ts";

/** Concurrent downloads of buildx, about 70 MB each: each holds an open file and a chunk of it in memory. */
export const MAX_PROGRAM_DOWNLOADS = 64;
const PROGRAM_RETRY_SECONDS = 20;

export interface CliDownloads {
  files: StaticFiles;
  /** The version of the CLI: `0.1.0-1a2b3c4d`. */
  version: string;
  /** Contains `buildx-<os>-<arch>`, with Go's names for both; need not exist. */
  buildxFolder: string;
}

const PATHS = ["/install.sh", "/install.ps1", "/cli/*"];
const PROGRAM = /^\/cli\/(buildx-(linux|darwin|windows)-(amd64|arm64))(\.sha256)?$/;

/** @param folder of the packed CLI @param origin for the installers */
export async function loadCli(
  folder: string,
  origin: string,
): Promise<Pick<CliDownloads, "files" | "version">> {
  const late = {
    place: BUILT_ADDRESS.host,
    fill: (text: string) => fillBuiltAddress(text, siteAddress(origin)),
  };
  const files = await loadStaticFiles(folder, { late });
  const [, version] = [...files.keys()].join("\n").match(/^\/cli\/millrace-(.+)\.tgz$/m) ?? [];
  if (version === undefined) throw new Error(`There is no packed CLI in ${folder}.`);
  return { files, version };
}

/** @param cli absent in measurements: then nothing is served */
export const cliMount = (cli: CliDownloads | undefined): Mount => ({
  part: "cli",
  paths: PATHS,
  takesTurns: true,
  serve: (edge) => serveCli(cli, edge),
});

function serveCli(cli: CliDownloads | undefined, edge: Pick<Edge, "limitPages" | "takeTurn">): Hono {
  const app = new Hono();
  if (cli) app.use(nameCli(cli.version));
  app.use(async (context, next) => {
    const file = cli && serveStaticFile(cli.files, context.req.path, context.req.raw);
    if (!file) return next();
    markShared(context);
    return (await edge.takeTurn(context)) ?? file;
  });
  app.use(edge.limitPages);
  const sendProgram = cli && createPrograms(cli.buildxFolder);
  app.all("*", async (context) => {
    if (!["GET", "HEAD"].includes(context.req.method))
      return answerAsText(context, {
        reason: "method not allowed",
        message: "This address accepts only GET and HEAD.",
        allow: "GET, HEAD",
      });
    const answer = await sendProgram?.(context);
    return (
      answer ?? answerAsText(context, { reason: "not found", message: "There is nothing at this address." })
    );
  });
  return app;
}

/** The file state of a checksum. */
interface Summed {
  size: number;
  mtimeMs: number;
  sha256: Promise<string>;
}

/** @returns an answerer; its answer is undefined for other addresses */
function createPrograms(folder: string): (context: Context) => Promise<Response | undefined> {
  const sums = new Map<string, Summed>();
  let downloads = 0;

  function sumOf(name: string, { size, mtimeMs }: Pick<Summed, "size" | "mtimeMs">): Promise<string> {
    const known = sums.get(name);
    if (known?.size === size && known.mtimeMs === mtimeMs) return known.sha256;
    const sha256 = hashFile(join(folder, name));
    sha256.catch(() => sums.delete(name));
    sums.set(name, { size, mtimeMs, sha256 });
    return sha256;
  }

  return async (context) => {
    const [, name, os, arch, isSum] = PROGRAM.exec(context.req.path) ?? [];
    if (name === undefined) return undefined;
    const file = await open(join(folder, name)).catch(() => undefined);
    const found = await file?.stat();
    if (!file || !found?.isFile()) {
      await file?.close();
      const message = `This server has no buildx for ${os}/${arch}. Install Docker's buildx plugin, or ask the operator to put it into the server's program folder as ${name}.`;
      return answerAsText(context, { reason: "not found", message });
    }
    if (isSum !== undefined) {
      await file.close();
      return context.text(`${await sumOf(name, found)}  ${name}\n`, 200, { "Cache-Control": "no-cache" });
    }
    const etag = `"${found.size.toString(36)}-${Math.trunc(found.mtimeMs).toString(36)}"`;
    const headers = {
      "Content-Type": "application/octet-stream",
      "Content-Length": String(found.size),
      "Cache-Control": "public, no-cache",
      ETag: etag,
    };
    const isKnown = hasEntityTag(context.req.header("if-none-match") ?? null, etag);
    const isFull = downloads >= MAX_PROGRAM_DOWNLOADS;
    if (isKnown || isFull || context.req.method === "HEAD") {
      await file.close();
      if (isKnown) return new Response(null, { status: 304, headers: { ETag: etag } });
      if (context.req.method === "HEAD") return new Response(null, { headers });
      const message = `Too many programs are being downloaded. Try again in ${PROGRAM_RETRY_SECONDS} seconds.`;
      return answerAsText(context, { reason: "no room", message, retryAfterSeconds: PROGRAM_RETRY_SECONDS });
    }
    downloads += 1;
    return new Response(
      bytesOf(file, () => (downloads -= 1)),
      { headers },
    );
  };
}

function bytesOf(file: FileHandle, onEnd: () => void): ReadableStream<Uint8Array> {
  const stream = file.createReadStream();
  // Also when the client leaves before the end.
  stream.once("close", onEnd);
  return Readable.toWeb(stream) as ReadableStream<Uint8Array>;
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}
