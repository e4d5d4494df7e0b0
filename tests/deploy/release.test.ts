/**
 * A release by its own command, twice: in folders of other names and depths, with another time zone, locale and umask. The first
 * has the pages and pictures that this checkout has prepared before, the second has nothing.
 * 1. Both have the same bytes throughout: archive, CLI, package list, provenance, checksums, signature.
 * 2. The checksums are right, the signature verifies, and the provenance names every file, the image and the commit.
 * 3. The archive has the commit's files, a complete build and nothing else; a server starts from it and builds nothing.
 * 4. A checkout with changes, and a folder that has a release, are refused in words; neither is touched.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cacheFolder, root } from "#server/pages/build-folders.ts";
import packageJson from "../../package.json" with { type: "json" };
import { makeImageArchive } from "../../scripts/release/test-image.ts";
import { compileContent } from "../../scripts/steps/content-step.ts";
import { freePort } from "../attack/server-process.ts";
import { noteRunsOf } from "../clients/pages/note-runs.ts";
import { saying } from "./saying.ts";

/** On the disk that packages are on: they are linked, not copied. */
mkdirSync(cacheFolder, { recursive: true });
const place = mkdtempSync(join(cacheFolder, "release-test-"));
const key = join(place, "release.key");
const image = makeImageArchive(join(place, "image"));
const NAME = `millrace-${packageJson.version}`;
const releases = [
  { checkout: join(place, "a"), into: join(place, "out-a"), env: {}, umask: "022" },
  {
    checkout: join(place, "another/and deeper"),
    into: join(place, "out-b"),
    env: { TZ: "Asia/Tokyo", LC_ALL: "C", LANG: "C" },
    umask: "077",
  },
] as const;

function run(checkout: string, args: string[], { env = {}, umask = "022" } = {}) {
  const script = 'umask "$0" && exec "$@"';
  const command = [process.execPath, "--disable-warning=ExperimentalWarning", "scripts/release.ts", ...args];
  return spawnSync("sh", ["-c", script, umask, ...command], {
    cwd: checkout,
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
}

function cloneTo(checkout: string): void {
  mkdirSync(dirname(checkout), { recursive: true });
  spawnSync("git", ["clone", "--quiet", root, checkout]);
}

/** Half of a build's work, where the tests before have built. */
function copyPrepared(checkout: string): void {
  for (const name of ["content", "social"]) {
    const [from, to] = [join(cacheFolder, name), join(checkout, ".cache", name)];
    if (existsSync(from)) cpSync(from, to, { recursive: true });
  }
}

beforeAll(() => {
  for (const { checkout } of releases) cloneTo(checkout);
  copyPrepared(releases[0].checkout);
  linkPackages(releases[0].checkout);
  expect(run(releases[0].checkout, ["--new-key", key]).status).toBe(0);
  for (const { checkout, into, env, umask } of releases) {
    movePackages(checkout);
    const args = ["--key", key, "--into", into, "--image", `millrace-image=${image.file}`];
    const made = run(checkout, args, { env, umask });
    expect(made.stderr).toBe("");
    expect(made.status).toBe(0);
  }
}, 480_000);

afterAll(() => rmSync(place, { recursive: true, force: true }), 300_000);

let packages: string;
/** By hard links: a bundler names a module by the target of a symbolic link. */
function linkPackages(folder: string): void {
  packages = join(folder, "node_modules");
  const copied = spawnSync("cp", ["-al", join(root, "node_modules"), packages]);
  expect(copied.stderr.toString()).toBe("");
}

/** A second copy would take a minute: they are tens of thousands of files. */
function movePackages(folder: string): void {
  const to = join(folder, "node_modules");
  renameSync(packages, to);
  packages = to;
}

const sha256 = (file: string) => createHash("sha256").update(readFileSync(file)).digest("hex");
const [{ checkout, into }] = releases;

test("1. the same bytes", () => {
  const hashes = releases.map((release) =>
    Object.fromEntries(readdirSync(release.into).map((file) => [file, sha256(join(release.into, file))])),
  );
  expect(hashes[1]).toEqual(hashes[0]);
  expect(Object.keys(hashes[0]!).toSorted()).toEqual([
    "SHA256SUMS",
    "SHA256SUMS.sig",
    expect.stringMatching(new RegExp(`^${NAME}-[0-9a-f]{8}\\.tgz$`)),
    `${NAME}.cdx.json`,
    `${NAME}.intoto.json`,
    `${NAME}.tar.gz`,
  ]);
});

test("2. signed", async () => {
  const check = (command: string, args: string[]) => spawnSync(command, args, { cwd: into }).status;
  expect(check("sha256sum", ["--check", "--quiet", "SHA256SUMS"])).toBe(0);
  const verify = `pkeyutl -verify -pubin -inkey ${key}.pub -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig`;
  expect(check("openssl", verify.split(" "))).toBe(0);
  noteRunsOf("tests/deploy/release.test.ts", (await compileContent()).pages);
  const { payload } = JSON.parse(readFileSync(join(into, `${NAME}.intoto.json`), "utf8")) as {
    payload: string;
  };
  const statement = JSON.parse(Buffer.from(payload, "base64").toString()) as Statement;
  const named = Object.fromEntries(statement.subject.map(({ name, digest }) => [name, digest.sha256]));
  for (const file of readdirSync(into).filter((name) => /\.(?:tgz|gz|cdx\.json)$/.test(name)))
    expect(named[file], file).toBe(sha256(join(into, file)));
  expect(named["millrace-image"]).toBe(image.sha256);
  const head = spawnSync("git", ["rev-parse", "HEAD"], { cwd: checkout, encoding: "utf8" }).stdout.trim();
  expect(JSON.stringify(statement)).toContain(`{"gitCommit":"${head}"}`);
});

interface Statement {
  subject: { name: string; digest: { sha256: string } }[];
}

test("3. a server from the archive", async () => {
  const target = join(place, "unpacked");
  mkdirSync(target);
  spawnSync("tar", ["--extract", `--file=${join(into, `${NAME}.tar.gz`)}`, `--directory=${target}`]);
  const folder = join(target, NAME);
  const listed = spawnSync("git", ["ls-files", "-z"], { cwd: checkout, encoding: "utf8" }).stdout;
  expect(listed.split("\0").filter((file) => file && !existsSync(join(folder, file)))).toEqual([]);
  expect(readdirSync(folder).filter((name) => !existsSync(join(checkout, name)))).toEqual(["build"]);
  expect(existsSync(join(folder, ".git"))).toBe(false);

  movePackages(folder);
  const port = String(await freePort());
  const server = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/start.ts"], {
    cwd: folder,
    env: { ...process.env, PORT: port, HOST: "127.0.0.1", DATA_DIR: join(place, "data"), BUILD_DIR: "build" },
  });
  try {
    const said = await saying(server, "Millrace is at");
    expect(said).not.toContain("building …");
    const page = await fetch(`http://127.0.0.1:${port}/docs/security`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain("Releases of Millrace");
  } finally {
    server.kill("SIGKILL");
  }
}, 60_000);

test("4. refused", () => {
  movePackages(checkout);
  const again = run(checkout, ["--key", key, "--into", into]);
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining(`${into} is not empty`)]);
  appendFileSync(join(checkout, "README.md"), "\n");
  const other = join(place, "out-c");
  const changed = run(checkout, ["--key", key, "--into", other]);
  expect([changed.status, changed.stderr]).toEqual([1, expect.stringContaining("README.md")]);
  expect(existsSync(other)).toBe(false);
  expect(run(checkout, []).stderr).toContain("--new-key");
  expect(run(checkout, ["--key", key, "--image", "x"]).stderr).toContain("write name=file");
});
