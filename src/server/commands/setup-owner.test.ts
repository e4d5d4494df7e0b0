/**
 * 1. Root prepares a service's folder as the service's user: links planted by this user do not redirect root's writes, and no
 *    program of that folder runs as root.
 * 2. Root writes nothing below another user's folder.
 * 3. A user other than root prepares only its own folder.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BUILDKIT_VERSION, buildxFile } from "#builds/index.ts";
import { root } from "../pages/build-folders.ts";
import { findOwner } from "./setup-owner.ts";

const NOBODY = 65_534;
const place = mkdtempSync(join(tmpdir(), "setup-owner-"));
chmodSync(place, 0o755);
const main = join(root, "src/server/main.ts");
const isReadable = () =>
  spawnSync(process.execPath, [...process.execArgv, "-e", ""], { uid: NOBODY, gid: NOBODY, cwd: root })
    .status === 0 && spawnSync("cat", [main], { uid: NOBODY, gid: NOBODY }).status === 0;
const canRun = process.getuid?.() === 0 && isReadable();

function makeFolder(name: string, id: number): string {
  const folder = join(place, name);
  mkdirSync(folder, { recursive: true });
  chownSync(folder, id, id);
  return folder;
}

function makeProgram(path: string, says: string): void {
  writeFileSync(path, `#!/bin/sh\n${says}\n`);
  chmodSync(path, 0o755);
}

function makePrograms(): string {
  const folder = makeFolder("programs", 0);
  // Reports any of root's environment or groups.
  const who = `echo "$(id -u) $(id -G) \${SECRET:-none}" >> ${join(place, "who")}`;
  makeProgram(
    join(folder, "buildkitd"),
    `${who}\necho buildkitd github.com/moby/buildkit v${BUILDKIT_VERSION} abc`,
  );
  makeProgram(join(folder, basename(buildxFile(""))), "");
  return folder;
}

const setUp = (dataFolder: string, from: string) =>
  spawnSync(process.execPath, [main, "setup-builders", "--programs", "--yes", "--from", from], {
    cwd: root,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], DATA_DIR: dataFolder, MILLRACE_BUILDX_FOLDER: from, SECRET: "of root" },
  });

// Each setup starts a process that loads the server's code: six seconds on a busy machine.
describe.runIf(canRun)("setup by root", { timeout: 120_000 }, () => {
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  test("1. for a service", () => {
    const dataFolder = makeFolder("service/data", NOBODY);
    chownSync(dataFolder, NOBODY, 0);
    const builders = makeFolder("service/data/builders", NOBODY);
    const roots = makeFolder("roots", 0);
    writeFileSync(join(roots, "file"), "of root", { mode: 0o600 });
    writeFileSync(join(place, "who"), "", { mode: 0o666 });
    chmodSync(join(place, "who"), 0o666);
    const planted = { ".setup.lock": "file", "buildkitd.tmp": "file", ".setup": "." };
    for (const [name, to] of Object.entries(planted)) symlinkSync(join(roots, to), join(builders, name));
    const refused = setUp(dataFolder, makePrograms());
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("The programs are not installed");
    expect(readdirSync(roots)).toEqual(["file"]);
    expect(readFileSync(join(roots, "file"), "utf8")).toBe("of root");
    expect(statSync(join(roots, "file"))).toMatchObject({ uid: 0, mode: 0o100600 });
    expect(statSync(roots).uid).toBe(0);
    for (const name of Object.keys(planted)) rmSync(join(builders, name));
    const done = setUp(dataFolder, join(place, "programs"));
    expect(done.status, done.stderr).toBe(0);
    expect(lstatSync(join(builders, "buildkitd"))).toMatchObject({ uid: NOBODY, mode: 0o100755 });
    expect(readdirSync(builders).toSorted()).toEqual([".setup.lock", "buildkitd"]);
    expect(new Set(readFileSync(join(place, "who"), "utf8").trim().split("\n"))).toEqual(
      new Set([`${NOBODY} ${NOBODY} none`]),
    );
  });

  test("2. a path of someone else", async () => {
    const strangers = makeFolder("strangers", NOBODY);
    symlinkSync(makeFolder("roots", 0), join(strangers, "data"));
    const dataFolder = join(strangers, "data");
    const ownerOf = (data: string) => findOwner(data, join(data, "builders"));
    await expect(ownerOf(dataFolder)).rejects.toThrow(`${strangers} does not belong to the same user`);
    // Nor does it act there for a third user.
    symlinkSync(makeFolder("thirds", NOBODY - 1), join(strangers, "third"));
    await expect(ownerOf(join(strangers, "third"))).rejects.toThrow(
      `${strangers} does not belong to the same user`,
    );
    // Before the first start, the owner is that of the folder around it.
    expect(await ownerOf(join(makeFolder("state", NOBODY), "data"))).toBe(NOBODY);
    expect(await ownerOf(join(makeFolder("own", 0), "data"))).toBe(0);
  });

  test("3. by another user", () => {
    const command = `exec "$0" "$1" setup-builders --programs --yes`;
    const asNobody = { uid: NOBODY, gid: NOBODY, cwd: root, encoding: "utf8" } as const;
    expect(() =>
      execFileSync("sh", ["-c", command, process.execPath, main], {
        ...asNobody,
        stdio: "pipe",
        env: { PATH: process.env["PATH"], DATA_DIR: makeFolder("roots", 0) },
      }),
    ).toThrow("belongs to another user: run the command as that user, or as root");
  });
});
