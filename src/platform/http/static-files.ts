import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { readInTurn } from "../files/read-in-turn.ts";
import { packLate } from "./pack-late.ts";
import { chooseEncoding, hasEntityTag } from "./negotiation.ts";

/** A file in memory with its compressed forms. */
export interface StaticFile {
  type: string;
  etag: string;
  cacheControl: string;
  csp?: string;
  identity: Buffer;
  br?: Buffer;
  gzip?: Buffer;
  /** Its compressed forms are made when they are first requested. */
  isPackedLate?: boolean;
  /** The compression of `identity`: there is no other form, and clients of this file can read it. */
  only?: "br";
}

/** URL path → file. */
export type StaticFiles = Map<string, StaticFile>;

const TYPES: { [extension: string]: string } = {
  html: "text/html; charset=utf-8",
  data: "text/x-script",
  md: "text/markdown; charset=utf-8",
  txt: "text/plain; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
  png: "image/png",
  webp: "image/webp",
  ico: "image/x-icon",
  xml: "application/xml; charset=utf-8",
  atom: "application/atom+xml; charset=utf-8",
  woff2: "font/woff2",
  webmanifest: "application/manifest+json",
  tgz: "application/gzip",
  sha256: "text/plain; charset=utf-8",
  // Readers look at a script before they run it.
  sh: "text/plain; charset=utf-8",
  ps1: "text/plain; charset=utf-8",
};

/** `Content-Type` of a file, by the end of its name. */
export const typeOf = (name: string): string =>
  TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";

/**
 * Reads a folder of built files into memory: `docs/x.html` answers `/docs/x`, `index.html` answers `/`; `.br`
 * and `.gz` next to a file are its compressed forms.
 */
export async function loadStaticFiles(folder: string, options: LoadOptions = {}): Promise<StaticFiles> {
  const files: StaticFiles = new Map();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  await Promise.all(
    entries
      // Source maps are only for the server's error reports.
      .filter((entry) => entry.isFile() && !/\.(br|gz|map)$/.test(entry.name))
      .map(async (entry) => {
        const file = join(entry.parentPath, entry.name);
        const name = relative(folder, file).split(sep).join("/");
        files.set(urlPathOf(name), await readStaticFile(file, name, options));
      }),
  );
  return files;
}

export interface LoadOptions {
  /** The Content-Security-Policy of its pages, from their template. */
  csp?: string;
  /** The text `place` is replaced in files that contain it; their compressed forms are made late. */
  late?: { place: string; fill: (text: string) => string };
}

function urlPathOf(name: string): string {
  return `/${name.replace(/(^|\/)index\.html$/, "$1").replace(/\.html$/, "")}`.replace(/(.)\/$/, "$1");
}

async function readStaticFile(file: string, name: string, { csp, late }: LoadOptions): Promise<StaticFile> {
  const [identity, br, gzip] = await Promise.all([
    readInTurn(file),
    readInTurn(`${file}.br`).catch(() => undefined),
    readInTurn(`${file}.gz`).catch(() => undefined),
  ]);
  const policy = name.endsWith(".html") && csp ? { csp } : {};
  if (late && identity.includes(late.place)) {
    const filled = Buffer.from(late.fill(identity.toString()));
    return { ...staticFile(name, filled), ...policy, isPackedLate: true };
  }
  return {
    ...staticFile(name, identity),
    ...policy,
    ...(br && { br }),
    ...(gzip && { gzip }),
  };
}

/** @param name the path below the served folder: `docs/faq.md` */
export function staticFile(name: string, identity: Buffer): StaticFile {
  return {
    type: typeOf(name),
    etag: `"${createHash("sha256").update(identity).digest("base64url").slice(0, 22)}"`,
    cacheControl: cacheControlOf(name),
    identity,
    // The offline copy: uncompressed it takes eight times the memory, and only browsers that keep a copy request it.
    ...(name.endsWith(".pack") && { only: "br" }),
  };
}

function cacheControlOf(name: string): string {
  // Names under assets/ contain a hash of the content, and names of archives a version.
  if (/^assets\/|-\d+\.\d+\.\d+-[0-9a-f]{8}\.tgz/.test(name)) return "public, max-age=31536000, immutable";
  // Long enough for a prefetched page to be used by the click that follows.
  if (name.endsWith(".data")) return "public, max-age=60";
  return "public, no-cache";
}

/**
 * Answers from memory; undefined when the file does not exist.
 * @param isNegotiated the same address has another form for clients that accept other types.
 */
export function serveStaticFile(
  files: StaticFiles,
  path: string,
  request: Request,
  isNegotiated = false,
): Response | undefined {
  const file = files.get(path);
  if (!file || (request.method !== "GET" && request.method !== "HEAD")) return undefined;
  const headers = fileHeaders(file, isNegotiated);
  headers["ETag"] = file.etag;
  if (hasEntityTag(request.headers.get("if-none-match"), file.etag))
    return new Response(null, { status: 304, headers });
  return sendFile(file, request, { status: 200, headers });
}

/** The headers of an answer with this file, in any encoding. */
export function fileHeaders(file: StaticFile, isNegotiated: boolean): Record<string, string> {
  return {
    "Content-Type": file.type,
    "Cache-Control": file.cacheControl,
    Vary: isNegotiated ? "Accept, Accept-Encoding" : "Accept-Encoding",
    ...(file.csp && { "Content-Security-Policy": file.csp }),
  };
}

/** The file in the best encoding that the client accepts; a HEAD request gets only its headers. */
export function sendFile(
  file: StaticFile,
  request: Request,
  { status, headers }: { status: number; headers: Record<string, string> },
): Response {
  const { br, gzip, isPackedLate = false, only } = file;
  const stored = { br: isPackedLate || br !== undefined, gzip: isPackedLate || gzip !== undefined };
  const encoding = only ?? chooseEncoding(request.headers.get("accept-encoding"), stored);
  const body = encoding && !only ? (file[encoding] ?? packLate(file, encoding)) : file.identity;
  if (encoding) headers["Content-Encoding"] = encoding;
  headers["Content-Length"] = String(body.length);
  return new Response(request.method === "HEAD" ? null : (body as BodyInit), { status, headers });
}
