/**
 * 1. Nothing is changed before someone has confirmed; the commands shown are those that run.
 * 2. Programs of a folder are put where the server finds them, for its user, and are not layer caches; a second run does nothing.
 * 3. A program of another version, one that does not run, and a folder without it are refused in a sentence, and leave nothing.
 * 4. A release with a wrong checksum, and one that is cut off, leave nothing; a correct release is installed.
 * 5. Each package manager gets its own names of packages; ranges of user ids begin after those already assigned.
 * 6. Two runs at the same time: the second gets that error.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tryLock } from "#platform/locks/lock.ts";
import { findCachesOf } from "../machine/spoiled-caches.ts";
import { findDistribution } from "./distribution.ts";
import { downloadRelease } from "./download-release.ts";
import { findWays } from "./get-programs.ts";
import { firstFree } from "./machine-steps.ts";
import { putProgram } from "./put-program.ts";
import { setUpBuilders } from "./set-up-builders.ts";
import { BUILDKIT_VERSION, BUILDX_VERSION } from "./versions.ts";

const newFolder = () => mkdtempSync(join(tmpdir(), "setup-builders-"));
const ada = { name: "ada", id: process.getuid?.() ?? 0, groupId: process.getgid?.() ?? 0 };

function makeProgram(folder: string, name: string, says: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `#!/bin/sh\n${says}\n`);
  chmodSync(join(folder, name), 0o755);
  return join(folder, name);
}

function makePrograms(version = BUILDKIT_VERSION): string {
  const folder = newFolder();
  makeProgram(folder, "buildkitd", `echo buildkitd github.com/moby/buildkit v${version} abc`);
  // As Debian's package prints it.
  makeProgram(folder, "buildx", `echo github.com/docker/buildx ${BUILDX_VERSION}+ds1 abc`);
  return folder;
}

const optionsFor = (from: string, folder = newFolder()) => ({
  sources: { env: {}, folder: join(folder, "builders") },
  buildx: join(folder, "builders/programs/buildx-linux-amd64"),
  from,
  isFromSource: false,
  isProgramsOnly: false,
  arch: "amd64",
});

test("1. and 6. asked first, and alone", async () => {
  const dataFolder = newFolder();
  const lines: string[] = [];
  const set = (isProgramsOnly: boolean, isAllowed: boolean) =>
    setUpBuilders({
      ...optionsFor(makePrograms(), dataFolder),
      isProgramsOnly,
      dataFolder,
      user: ada,
      getAsUser: null,
      say: (line) => void lines.push(line),
      ask: async () => isAllowed,
    });
  await set(false, false).catch((error: unknown) => {
    // A machine that cannot have builders at all reports that first.
    expect(String(error)).toMatch(/cannot fix|none of the package managers/);
  });
  expect(readdirSync(dataFolder)).toEqual([]);
  expect(lines.join("\n")).toMatch(/Nothing was changed|^$/);
  const lock = newLock(join(dataFolder, "builders"));
  await expect(set(true, true)).rejects.toThrow("Another setup-builders is working in");
  lock.release();
  expect(readdirSync(join(dataFolder, "builders"))).toEqual([".setup.lock"]);
  await set(true, true);
  expect(readdirSync(join(dataFolder, "builders")).toSorted()).toContain("programs");
});

function newLock(folder: string) {
  mkdirSync(folder, { recursive: true });
  return tryLock(join(folder, ".setup.lock"))!;
}

async function getAll(from: string, folder = newFolder()) {
  const options = optionsFor(from, folder);
  const ways = await findWays(options, true);
  for (const way of ways) await way.get({ work: newFolder(), path: "" });
  return { options, ways };
}

test("2. from a folder", async () => {
  const folder = newFolder();
  const { options } = await getAll(makePrograms(), folder);
  expect(execFileSync(join(options.sources.folder, "buildkitd"), { encoding: "utf8" })).toContain(
    BUILDKIT_VERSION,
  );
  expect(readdirSync(options.sources.folder).toSorted()).toEqual(["buildkitd", "programs"]);
  expect(existsSync(options.buildx)).toBe(true);
  expect(await findWays(options, false)).toEqual([]);
  // The removal of deleted projects' layer caches keeps them.
  expect(await findCachesOf(options.sources.folder, "programs")).toEqual([]);
});

test("3. wrong programs", async () => {
  const folder = newFolder();
  await expect(getAll(makePrograms("0.12.0"), folder)).rejects.toThrow("is not buildkitd");
  const broken = newFolder();
  makeProgram(broken, "buildkitd", "exit 3");
  await expect(getAll(broken, folder)).rejects.toThrow("is not a buildkitd that runs on this machine");
  await expect(getAll(newFolder(), folder)).rejects.toThrow(
    "has no buildkitd that the server's user can read and run",
  );
  expect(readdirSync(join(folder, "builders"))).toEqual([]);
});

test("3. the former program stays", async () => {
  const to = makeProgram(newFolder(), "buildkitd", "echo former");
  const wanted = { name: "buildkitd", args: ["--version"], version: BUILDKIT_VERSION };
  const other = join(makePrograms("0.1.0"), "buildkitd");
  await expect(putProgram(other, to, wanted)).rejects.toThrow("is not buildkitd");
  expect(readFileSync(to, "utf8")).toContain("former");
});

async function serve(bytes: Buffer, isCut = false): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-length": bytes.length + (isCut ? 1 : 0) });
    response.write(bytes, () => (isCut ? response.destroy() : response.end()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/release`;
}

test("4. releases", async () => {
  const bytes = Buffer.from("a release");
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const url = await serve(bytes);
  const work = newFolder();
  expect(readFileSync(await downloadRelease({ url, sha256 }, work))).toEqual(bytes);
  await expect(downloadRelease({ url, sha256: "0".repeat(64) }, work)).rejects.toThrow(
    `has the checksum ${sha256}, not ${"0".repeat(64)}, and nothing was kept`,
  );
  const cut = await serve(bytes, true);
  await expect(downloadRelease({ url: cut, sha256 }, work)).rejects.toThrow(`The download of ${cut} failed`);
});

test("5. packages and ranges", async () => {
  const names = async (manager: string) => {
    const folder = newFolder();
    makeProgram(folder, manager, "");
    const distribution = await findDistribution(folder);
    return distribution
      ?.install(["ip", "runc", "unshare", "newuidmap", "go"])
      .map((command) => command.join(" "));
  };
  expect(await names("apt-get")).toEqual([
    "apt-get update",
    "env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends iproute2 runc util-linux uidmap golang-go",
  ]);
  expect(await names("dnf")).toEqual(["dnf install --assumeyes iproute runc util-linux shadow-utils golang"]);
  expect(await names("apk")).toEqual(["apk add iproute2 runc util-linux-misc shadow-uidmap go"]);
  expect(await findDistribution(newFolder())).toBeNull();
  expect(firstFree("")).toBe(100_000);
  expect(firstFree("ada:100000:65536\n# a comment\nbob:500000:65536\n")).toBe(565_536);
});
