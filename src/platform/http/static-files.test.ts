/**
 * 1. `docs/x.html` answers `/docs/x`, `index.html` its folder.
 * 2. The best encoding that the client accepts is served; `q=0` refuses one.
 * 3. A known ETag is answered 304 without a body; HEAD has the headers only.
 * 4. Names with a hash are cached forever, pages are revalidated each time.
 * 5. An HTML file gets the given policy, whatever it contains; other files have none.
 * 6. Source maps are not served.
 * 7. An address that negotiates says so in every answer, including 304; no other address does.
 * 8. Places that the build leaves open are filled with the server's address in every form; the first request gets a quickly
 *    compressed form, later requests the smallest; the ETag matches the bytes sent.
 * 9. A packed file has one form, which is sent unchanged and labelled as such.
 */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from "node:zlib";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { loadStaticFiles, serveStaticFile, type StaticFiles } from "./static-files.ts";

const script = "console.log(1)";
let files: StaticFiles;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "static-"));
  await mkdir(join(folder, "docs"));
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "home");
  await writeFile(join(folder, "docs/x.html"), `<script>${script}</script><script src="/a.js"></script>`);
  await writeFile(join(folder, "docs/x.html.br"), "br");
  await writeFile(join(folder, "docs/x.html.gz"), "gz");
  await writeFile(join(folder, "assets/a-1234.js"), "js");
  await writeFile(join(folder, "assets/a-1234.js.map"), "{}");
  await writeFile(join(folder, "assets/a-1234.pack"), brotliCompressSync("packed"));
  files = await loadStaticFiles(folder, { csp: "policy" });
});

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  serveStaticFile(files, path, new Request(`http://localhost${path}`, { method, headers }));

test("1. files answer their addresses", async () => {
  expect(await get("/")?.text()).toBe("home");
  expect(get("/docs/x")?.status).toBe(200);
  expect(get("/docs/x.html")).toBeUndefined();
  expect(get("/docs/../docs/x")).toBeUndefined();
});

test.each([
  ["br, gzip", "br"],
  ["gzip, deflate", "gzip"],
  ["br;q=0, gzip;q=0.5", "gzip"],
  ["br;q=0.0,gzip;q=0", null],
  ["identity", null],
  ["", null],
])("2. accept-encoding %j is answered with %s", async (accepted, encoding) => {
  const response = get("/docs/x", { "accept-encoding": accepted });
  expect(response?.headers.get("content-encoding")).toBe(encoding);
  expect(response?.headers.get("vary")).toContain("Accept-Encoding");
});

test("3. a known ETag is answered 304, HEAD without a body", async () => {
  const etag = get("/docs/x")?.headers.get("etag") ?? "";
  const known = get("/docs/x", { "if-none-match": `W/"other", ${etag}` });
  expect([known?.status, await known?.text()]).toEqual([304, ""]);
  const head = get("/docs/x", {}, "HEAD");
  expect([head?.status, await head?.text(), head?.headers.get("content-length")]).toEqual([200, "", "60"]);
  expect(get("/docs/x", {}, "POST")).toBeUndefined();
});

test("4. names with a hash are cached forever", () => {
  expect(get("/assets/a-1234.js")?.headers.get("cache-control")).toContain("immutable");
  expect(get("/docs/x")?.headers.get("cache-control")).toBe("public, no-cache");
});

test("5. the policy is the given one", () => {
  expect(get("/docs/x")?.headers.get("content-security-policy")).toBe("policy");
  expect(get("/")?.headers.get("content-security-policy")).toBe("policy");
  expect(get("/assets/a-1234.js")?.headers.get("content-security-policy")).toBeNull();
});

test("6. source maps are not served", () => {
  expect(get("/assets/a-1234.js")?.status).toBe(200);
  expect(get("/assets/a-1234.js.map")).toBeUndefined();
});

test("7. an address that negotiates says so", () => {
  const etag = get("/docs/x")?.headers.get("etag") ?? "";
  for (const known of ["", etag]) {
    const headers = { "if-none-match": known };
    const request = new Request("http://localhost/docs/x", { headers });
    expect(serveStaticFile(files, "/docs/x", request, true)?.headers.get("vary")).toBe(
      "Accept, Accept-Encoding",
    );
    expect(serveStaticFile(files, "/docs/x", request)?.headers.get("vary")).toBe("Accept-Encoding");
  }
});

test("8. what the build leaves open", async () => {
  const folder = await mkdtemp(join(tmpdir(), "late-"));
  const words = Array.from({ length: 2000 }, (_, i) => `${(i * 7919) % 1009} word`).join(" ");
  const textWith = (name: string) => `<link href="https://${name}/docs"><p>${words}</p>`;
  await writeFile(join(folder, "page.html"), textWith("OPEN"));
  await writeFile(join(folder, "same.html"), words);
  await writeFile(join(folder, "same.html.br"), "made by the build");
  const open = (name: string) =>
    loadStaticFiles(folder, { late: { place: "OPEN", fill: (text) => text.replaceAll("OPEN", name) } });
  const filled = await open("docs.example.com");
  const ask = async (path: string, encoding: string) => {
    const headers = { "accept-encoding": encoding };
    const response = serveStaticFile(filled, path, new Request(`http://x${path}`, { headers }));
    return Buffer.from(await response!.arrayBuffer());
  };

  const text = textWith("docs.example.com");
  expect((await ask("/page", "identity")).toString()).toBe(text);
  const first = await ask("/page", "br");
  expect(brotliDecompressSync(first).toString()).toBe(text);
  expect(gunzipSync(await ask("/page", "gzip")).toString()).toBe(text);
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  const best = brotliCompressSync(text, { params });
  await vi.waitFor(async () => expect((await ask("/page", "br")).equals(best)).toBe(true));
  expect(best.length).toBeLessThan(first.length);

  expect((await ask("/same", "br")).toString()).toBe("made by the build");
  const elsewhere = await open("localhost:3000");
  expect(elsewhere.get("/page")?.etag).not.toBe(filled.get("/page")?.etag);
  expect(elsewhere.get("/same")?.etag).toBe(filled.get("/same")?.etag);
});

test.each(["br", "gzip", ""])("9. packed, for a client that accepts %j", async (accepted) => {
  const response = get("/assets/a-1234.pack", { "accept-encoding": accepted });
  expect(response?.headers.get("content-encoding")).toBe("br");
  const bytes = Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0));
  expect(response?.headers.get("content-length")).toBe(String(bytes.length));
  expect(brotliDecompressSync(bytes).toString()).toBe("packed");
});
