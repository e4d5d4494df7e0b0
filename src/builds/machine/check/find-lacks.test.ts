/**
 * 1. Everything that a bare machine lacks is reported together, in one sentence, and one command fixes it; root needs less.
 * 2. Existing programs are not reported, even those outside the PATH of an ordinary user, which has no folder of system programs.
 * 3. A `buildkitd` that is too old, does not run, or is named wrongly is reported; one that can be installed now is not.
 * 4. Namespaces are really tried: AppArmor, the kernel's settings and a container are distinguished.
 * 5. A range that is too short is reported; a range that is in no file, but works, is not; NoNewPrivileges is named.
 * 6. Without Linux, the error says what to do instead.
 */
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { describeLacks } from "./check-machine.ts";
import { findLacks, type LackOptions } from "./find-lacks.ts";

const PROGRAMS = [
  "ip",
  "mount",
  "nsenter",
  "runc",
  "setpriv",
  "slirp4netns",
  "unshare",
  "newuidmap",
  "newgidmap",
];

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function putProgram(path: string, script = "exit 0"): string {
  write(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A machine that lacks nothing. */
function makeMachine() {
  const root = mkdtempSync(join(tmpdir(), "find-lacks-"));
  for (const name of PROGRAMS) putProgram(join(root, "bin", name));
  for (const file of ["subuid", "subgid"]) write(join(root, "etc", file), "ada:100000:65536\n");
  write(join(root, "dev/net/tun"), "");
  mkdirSync(join(root, "var/lib/cni"), { recursive: true });
  const buildkitd = putProgram(
    join(root, "bin/buildkitd"),
    "echo buildkitd github.com/moby/buildkit v0.33.0 abc",
  );
  const find = (more: Partial<LackOptions> = {}) =>
    findLacks({
      env: { PATH: join(root, "bin") },
      user: { name: "ada", id: 1000 },
      dataFolder: root,
      locateBuildkitd: async () => buildkitd,
      platform: "linux",
      root,
      ...more,
    });
  return { root, find };
}

const said = async (found: ReturnType<typeof findLacks>) => describeLacks(await found);

test("1. a bare machine", async () => {
  const empty = mkdtempSync(join(tmpdir(), "find-lacks-"));
  const { find } = makeMachine();
  const bare = { env: { PATH: empty }, root: empty, locateBuildkitd: async () => null };
  const lacks = await find(bare);
  expect(lacks.every(({ isMended }) => isMended)).toBe(true);
  const names = lacks.flatMap(({ nouns }) => nouns);
  // The real machine's program folders are also searched.
  expect(names).toEqual(
    expect.arrayContaining([
      "BuildKit 0.33 or newer",
      "a range of 65536 user ids for ada",
      "/dev/net/tun",
      "the folder /var/lib/cni",
    ]),
  );
  expect(describeLacks(lacks)).toMatch(
    /^Builders cannot run on this server yet: .+ and the folder \/var\/lib\/cni are missing\.$/,
  );
  const asRoot = await find({ ...bare, user: { name: "root", id: 0 } });
  expect(asRoot.map(({ kind }) => kind)).not.toContain("user-ids");
  expect(asRoot.map(({ kind }) => kind)).not.toContain("cni");
});

test("2. nothing", async () => {
  expect(await makeMachine().find()).toEqual([]);
});

test("3. buildkitd", async () => {
  const { root, find } = makeMachine();
  const old = putProgram(join(root, "old"), "echo buildkitd github.com/moby/buildkit v0.12.5 abc");
  expect(await said(find({ locateBuildkitd: async () => old }))).toContain(
    "BuildKit 0.12.5 is too old, 0.33 or newer is needed",
  );
  const own = putProgram(join(root, "own"), "echo buildkitd github.com/moby/buildkit v0.0.0+unknown");
  expect(await find({ locateBuildkitd: async () => own })).toEqual([]);
  const broken = putProgram(join(root, "broken"), "echo no such library >&2; exit 1");
  expect(await said(find({ locateBuildkitd: async () => broken }))).toContain(
    "its buildkitd does not run (no such library)",
  );
  expect(await find({ locateBuildkitd: async () => "" })).toEqual([]);
  const wrong = await find({
    locateBuildkitd: () => Promise.reject(new Error("BUILDKITD=/secret/x is not a program")),
  });
  expect(wrong[0]).toMatchObject({ isMended: false });
  expect(describeLacks(wrong)).toContain("BUILDKITD in the server's environment does not name a program");
  expect(describeLacks(wrong)).not.toContain("/secret");
});

test("4. namespaces", async () => {
  const { root, find } = makeMachine();
  putProgram(join(root, "bin/unshare"), "echo unshare failed: Operation not permitted >&2; exit 1");
  const [container] = await find();
  expect(container).toMatchObject({ kind: "namespaces", isMended: false });
  expect(container?.clause).toContain(
    "as in a container without that right (unshare failed: Operation not permitted)",
  );
  write(join(root, "proc/sys/user/max_user_namespaces"), "0\n");
  expect((await find())[0]).toMatchObject({ kind: "namespaces", isMended: true });
  write(join(root, "proc/sys/kernel/apparmor_restrict_unprivileged_userns"), "1\n");
  expect((await find())[0]?.clause).toBe("AppArmor lets only root create user namespaces");
});

test("5. user ids", async () => {
  const { root, find } = makeMachine();
  write(join(root, "etc/subgid"), "ada:100000:1000\n");
  expect((await find())[0]).toMatchObject({ kind: "user-ids", isMended: true });
  for (const file of ["subuid", "subgid"]) write(join(root, "etc", file), "");
  expect(await find()).toEqual([]);
  for (const file of ["subuid", "subgid"]) write(join(root, "etc", file), "1000:100000:65536\n");
  putProgram(join(root, "bin/unshare"), 'case "$*" in *map-auto*) exit 1 ;; esac');
  write(join(root, "proc/self/status"), "Name:\tnode\nNoNewPrivs:\t1\n");
  expect((await find())[0]).toMatchObject({
    kind: "user-ids",
    isMended: false,
    clause: expect.stringContaining("NoNewPrivileges"),
  });
});

test("6. other systems", async () => {
  const { find } = makeMachine();
  expect(await said(find({ platform: "darwin" }))).toMatch(
    /this server runs on macOS\. Run the server on a Linux machine.+MILLRACE_BUILDERS=kubernetes\.$/,
  );
  expect(await said(find({ platform: "win32" }))).toContain("runs on Windows");
});
