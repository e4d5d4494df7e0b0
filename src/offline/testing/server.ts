import { type PackedFile, writePack } from "../pack-format.ts";
import { INFO_PATH, type PackInfo } from "../pack-info.ts";

const encode = (text: string) => new TextEncoder().encode(text);

const HEADERS = { "X-Content-Type-Options": "nosniff" };

/** The files of a small copy whose pages contain `word`. */
export function testFiles(word: string): PackedFile[] {
  const page = (title: string) =>
    `<html><a href="https://site-origin.invalid/docs">x</a><header class="doc-title"><h1>${title}</h1><p class="lead">${word}</p></header><input id="q" name="q" value=""/></html>`;
  const html = "text/html; charset=utf-8";
  return [
    {
      path: "/docs",
      type: html,
      body: encode(page("Start")),
      headers: { "Content-Security-Policy": "default-src 'self'" },
    },
    { path: "/docs.data", type: "text/x-script", body: encode(JSON.stringify(page("Start"))) },
    { path: "/docs/404", type: html, status: 404, body: encode("<html>Page not found</html>") },
    { path: "/docs/404.data", type: "text/x-script", status: 404, body: encode("[null]") },
    { path: "/assets/docs-12345678.js", type: "text/javascript", body: encode("run()") },
  ];
}

export interface TestServer {
  info: PackInfo;
  fetch: (address: string, options: RequestInit) => Promise<Response>;
  /** The file. */
  bytes: Uint8Array;
  /** Whether the file is missing. */
  isMissing: boolean;
  /** Requested addresses. */
  asked: string[];
  /** How much of the file arrives before the connection ends. */
  cutAfter: number;
  /** Whether a download still waits for the reader. */
  isSending: boolean;
}

/** A server with one offline copy. */
export async function createTestServer(word = "words"): Promise<TestServer> {
  const bytes = writePack({ headers: HEADERS, files: testFiles(word) });
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));
  const sha256 = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const version = sha256.slice(0, 12);
  const file = `/assets/offline-${version}.pack`;
  const server: TestServer = {
    info: {
      version,
      address: file,
      sha256,
      bytes: 100,
      unpackedBytes: bytes.length,
      pages: 1,
      made: "2026-11-23T12:00:00.000Z",
    },
    bytes,
    isMissing: false,
    asked: [],
    cutAfter: Number.POSITIVE_INFINITY,
    isSending: false,
    async fetch(address, { signal }) {
      signal?.throwIfAborted();
      server.asked.push(address);
      if (address === INFO_PATH) return Response.json(server.info);
      if (address !== file || server.isMissing) return new Response(null, { status: 404 });
      let at = 0;
      server.isSending = true;
      const end = () => (server.isSending = false);
      signal?.addEventListener("abort", end);
      return new Response(
        new ReadableStream({
          pull(controller) {
            if (at >= server.cutAfter) return (end(), controller.error(new TypeError("network error")));
            if (at >= bytes.length) return (end(), controller.close());
            controller.enqueue(bytes.slice(at, (at += 100)));
          },
        }),
      );
    },
  };
  return server;
}
