/**
 * 1. The operator's choice comes first, then the PATH, then the folder; a name that is not a program is refused.
 *    Programs that are too old, or that do not run, are passed over for one that is new enough: on the PATH, in the folder, or
 *    offered; if there is none, the first of them is found, so that the server says what is wrong with it.
 * 2. If there is none, the error says where it was searched for and what to do.
 * 3. A download is unpacked once; later starts do not download it again.
 * 4. A wrong checksum, a response that is not an archive, a missing one and an archive without the program leave nothing behind.
 * 5. An address without a checksum is refused.
 * 6. A program in the data folder that is no longer executable, because a former release changed its mode, runs again: one that
 *    someone put there, and a download, which is not downloaded again.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseDownload } from "./download-buildkitd.ts";
import { findBuildkitd, locateBuildkitd } from "./find-buildkitd.ts";
import { makeAllPrivate } from "../testing/machine.ts";

const makeFolder = () => mkdtempSync(join(tmpdir(), "find-buildkitd-"));

function putProgram(folder: string, name = "buildkitd", script = ""): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function makeArchive(program: string): Buffer {
  const folder = makeFolder();
  mkdirSync(join(folder, "bin"));
  putProgram(join(folder, "bin"), program);
  execFileSync("tar", ["-czf", join(folder, "a.tar.gz"), "-C", folder, "bin"]);
  return readFileSync(join(folder, "a.tar.gz"));
}

const sha256Of = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

async function serve(bytes: Buffer | null) {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    response.writeHead(bytes ? 200 : 404).end(bytes ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/buildkit.tar.gz`, count: () => requests };
}

test("1. the order", async () => {
  const [named, path, folder] = [makeFolder(), makeFolder(), makeFolder()];
  const inFolder = putProgram(folder);
  expect(await findBuildkitd({ env: { PATH: path }, folder })).toBe(inFolder);
  const onPath = putProgram(path);
  expect(await findBuildkitd({ env: { PATH: path }, folder })).toBe(onPath);
  const own = putProgram(named);
  expect(await findBuildkitd({ env: { PATH: path, BUILDKITD: own }, folder })).toBe(own);
  const wrong = { env: { PATH: path, BUILDKITD: `${named}/other` }, folder };
  await expect(findBuildkitd(wrong)).rejects.toThrow(`BUILDKITD=${named}/other is not a program`);
});

test("1. too old", async () => {
  const [first, second, folder] = [makeFolder(), makeFolder(), makeFolder()];
  const told = (version: string) => `echo buildkitd github.com/moby/buildkit v${version} 0123456789abcdef`;
  const old = putProgram(first, "buildkitd", told("0.11.6"));
  const options = { env: { PATH: [first, second].join(delimiter) }, folder };
  const find = async () => [await findBuildkitd(options), await locateBuildkitd(options)];
  expect(await find()).toEqual([old, old]);
  putProgram(second, "buildkitd", "exit 1");
  expect(await find()).toEqual([old, old]);
  const archive = makeArchive("buildkitd");
  const { url } = await serve(archive);
  const download = parseDownload(`${url}#sha256=${sha256Of(archive)}`);
  expect(await locateBuildkitd({ ...options, download })).toBe("");
  expect(await findBuildkitd({ ...options, download })).toContain(sha256Of(archive).slice(0, 16));
  putProgram(folder, "buildkitd", told("0.32.9"));
  expect(await find()).toEqual([old, old]);
  // As `setup-builders` installs it.
  const own = putProgram(folder, "buildkitd", told("0.33.0"));
  expect(await find()).toEqual([own, own]);
  const good = putProgram(second, "buildkitd", told("0.34.1"));
  expect(await find()).toEqual([good, good]);
  const named = { ...options, env: { ...options.env, BUILDKITD: old } };
  expect(await findBuildkitd(named)).toBe(old);
});

test("2. none", async () => {
  const folder = makeFolder();
  await expect(findBuildkitd({ env: { PATH: makeFolder() }, folder })).rejects.toThrow(
    new RegExp(`No buildkitd: it is not on the PATH and not in ${folder}.+MILLRACE_BUILDKIT_URL`),
  );
});

test("3. a download", async () => {
  const folder = makeFolder();
  const archive = makeArchive("buildkitd");
  const { url, count } = await serve(archive);
  const options = { env: {}, folder, download: parseDownload(`${url}#sha256=${sha256Of(archive)}`) };
  const found = await Promise.all([findBuildkitd(options), findBuildkitd(options)]);
  expect(new Set(found).size).toBe(1);
  const asked = count();
  expect(await findBuildkitd(options)).toBe(found[0]);
  expect(count()).toBe(asked);
  expect(readdirSync(folder)).toEqual([`buildkit-${sha256Of(archive).slice(0, 16)}`]);
});

test.each([
  ["another checksum", makeArchive("buildkitd"), "0".repeat(64), /its checksum is [0-9a-f]{64}, not 0{64}/],
  ["no archive", Buffer.from("hello"), sha256Of(Buffer.from("hello")), /tar/],
  ["missing", null, "0".repeat(64), /it responded with status 404/],
])("4. %s", async (_, bytes, sha256, message) => {
  const folder = makeFolder();
  const { url } = await serve(bytes);
  const find = findBuildkitd({ env: {}, folder, download: { url, sha256 } });
  await expect(find).rejects.toThrow(message);
  await expect(find).rejects.toThrow("MILLRACE_BUILDKIT_URL");
  expect(readdirSync(folder)).toEqual([]);
});

test("4. without the program", async () => {
  const folder = makeFolder();
  const archive = makeArchive("buildctl");
  const { url } = await serve(archive);
  const find = findBuildkitd({ env: {}, folder, download: { url, sha256: sha256Of(archive) } });
  await expect(find).rejects.toThrow("the archive has no bin/buildkitd");
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["ftp://example.com/a#sha256=" + "0".repeat(64), "https://"],
  ["https://example.com/a", "#sha256="],
  ["https://example.com/a#sha256=12", "64 digits"],
])("5. %s", (text, message) => {
  expect(() => parseDownload(text)).toThrow(message);
});

test("6. without its mode", async () => {
  const folder = makeFolder();
  const archive = makeArchive("buildkitd");
  const { url, count } = await serve(archive);
  const download = parseDownload(`${url}#sha256=${sha256Of(archive)}`);
  const downloaded = await findBuildkitd({ env: {}, folder, download });
  makeAllPrivate(folder);
  expect(await findBuildkitd({ env: {}, folder, download })).toBe(downloaded);
  expect(count()).toBe(1);
  execFileSync(downloaded);
  const own = putProgram(folder);
  makeAllPrivate(folder);
  expect(await findBuildkitd({ env: {}, folder })).toBe(own);
  execFileSync(own);
});
