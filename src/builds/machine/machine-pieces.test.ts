/**
 * 1. Untrusted text is quoted in buildkitd's configuration; mirrors are at the registry, over plain HTTP from inside.
 * 2. Ids and platforms become folders only when they are valid; each builder has its own names.
 * 3. Inside, the registry's name leads to this process; the machine's search domains are kept, its name servers are not.
 * 4. Trees of control groups are read from the mounts; without any, builders run, and a message says what is missing.
 * 5. Version 2: limits are passed on and written, also below a delegated part of the tree; organizations have shares.
 * 6. Emulated platforms count if their emulator works even where its file is missing.
 */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hostsFor, resolversFor } from "./builder-files.ts";
import { type BuildkitdConfig, writeConfig } from "./buildkitd-config.ts";
import { findControlGroups } from "./control-groups.ts";
import { parseTrees } from "./control-trees.ts";
import { CROWDED_MEMORY } from "./limits.ts";
import { namesOf, platformOf } from "./places.ts";
import { findPlatforms } from "./platforms.ts";

const makeFolder = () => mkdtempSync(join(tmpdir(), "machine-pieces-"));
const CONFIG: BuildkitdConfig = {
  root: "/data/cache",
  isRootless: false,
  socket: "/run/a.sock",
  otelSocket: "/run/b.sock",
  plugin: { config: "/run/c.json", folder: "/run/plugins" },
  devices: "/run/no-devices",
  nameServer: "10.64.0.3",
  registryHost: "localhost:3000",
  mirrored: ["docker.io"],
  cache: { maxBytes: 1000, unusedSeconds: 60 },
  parallelism: 4,
  controlGroup: null,
  entitlements: [],
};

test("1. the configuration", () => {
  const text = writeConfig({
    ...CONFIG,
    root: '/a"\n[grpc]\ndebugAddress = "0.0.0.0:1"',
    controlGroup: "/steps",
  });
  expect(text).toContain(String.raw`root = "/a\"\n[grpc]\ndebugAddress = \"0.0.0.0:1\""`);
  expect(text.match(/^\[grpc\]$/gm)).toHaveLength(1);
  expect(text).toContain('[registry."docker.io"]\nmirrors = ["localhost:3000/mirror/docker.io"]\n');
  expect(text).toContain('[registry."localhost:3000"]\nhttp = true\n');
  expect(text).toContain('defaultCgroupParent = "/steps"');
  expect(writeConfig(CONFIG)).not.toContain("defaultCgroupParent");
});

test("2. names", () => {
  const names = namesOf("prj_7q4hx2n9ds", "linux/arm/v7");
  expect(names).toMatchObject({ key: "prj_7q4hx2n9ds-linux-arm-v7", folder: "prj_7q4hx2n9ds/linux-arm-v7" });
  expect(platformOf("linux-arm-v7")).toBe("linux/arm/v7");
  expect(platformOf("tmp")).toBeNull();
  expect(namesOf("prj_7q4hx2n9ds", "linux/amd64").run).not.toBe(names.run);
  for (const id of ["", "..", "a/b", "a\0", "a".repeat(65)])
    expect(() => namesOf(id, "linux/amd64")).toThrow("id");
  for (const platform of ["linux", "linux/../..", "linux/amd64\n", "Linux/amd64"])
    expect(() => namesOf("prj_a", platform)).toThrow("platform");
});

test("3. names of machines", () => {
  expect(hostsFor("localhost:3000")).toBe("127.0.0.1 localhost\n");
  expect(hostsFor("millrace.example.com")).toBe("127.0.0.1 localhost millrace.example.com\n");
  expect(resolversFor("nameserver 127.0.0.53\nsearch example.com\noptions edns0\n")).toBe(
    "nameserver 10.64.0.3\nsearch example.com\noptions edns0\n",
  );
});

test("4. trees", async () => {
  const mounts = [
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:3 - cgroup cgroup rw,cpu,cpuacct",
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
    "20 1 0:4 / /proc rw - proc proc rw",
  ].join("\n");
  expect(parseTrees(mounts)).toEqual([
    { folder: "/sys/fs/cgroup/cpu,cpuacct", root: "/", version: 1, controllers: ["cpu"] },
    { folder: "/sys/fs/cgroup/unified", root: "/", version: 2, controllers: [] },
  ]);
  const none = await findControlGroups("millrace-0123456789", () => Promise.resolve(""));
  expect(none.missing).toBe("cpu, memory, pids: the machine has no such controllers");
  expect(await none.open("org_a", "prj_a")).toBeNull();
  await none.close();
});

test("5. version 2", async () => {
  const tree = makeFolder();
  const mounts = `41 31 0:38 / ${tree} rw - cgroup2 cgroup2 rw\n`;
  writeFileSync(join(tree, "cgroup.controllers"), "cpuset cpu io memory pids\n");
  const groups = await findControlGroups("millrace-0123456789", (file) =>
    Promise.resolve(file === "mountinfo" ? mounts : "0::/\n"),
  );
  expect(groups.missing).toBeNull();
  expect(readFileSync(join(tree, "cgroup.subtree_control"), "utf8")).toBe("+cpu +memory +pids");
  const group = await groups.open("org_a", "prj_a-linux-amd64");
  const folder = join(tree, "millrace-0123456789/org_a/prj_a-linux-amd64");
  expect(group?.folders).toEqual([folder]);
  await group?.limit({ cpus: 1.5, memoryBytes: 1024 ** 3 });
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  expect([read("cpu.max"), read("steps/memory.max"), read("memory.max")]).toEqual([
    "150000 100000",
    String(1024 ** 3),
    String(3 * 1024 ** 3),
  ]);
  expect(Number(read("pids.max"))).toBeGreaterThan(1_000);
  const all = join(tree, "millrace-0123456789");
  expect(readFileSync(join(all, "org_a/cgroup.subtree_control"), "utf8")).toBe("+cpu +memory +pids");
  const limitOf = (of: string) => Number(readFileSync(join(all, of, "memory.max"), "utf8"));
  await groups.share(new Set(["org_a"]));
  expect(limitOf("org_a")).toBe(limitOf(""));
  await groups.share(new Set(["org_a", "org_b"]));
  expect(limitOf("org_a") / limitOf("")).toBeCloseTo(CROWDED_MEMORY, 3);
});

test("5. version 2, a part that was handed over", async () => {
  const tree = makeFolder();
  const own = join(tree, "millrace.service");
  const server = join(own, "millrace-server");
  mkdirSync(server, { recursive: true });
  // A folder in place of the file: no user can write to it.
  mkdirSync(join(tree, "cgroup.subtree_control"));
  for (const folder of [tree, own]) writeFileSync(join(folder, "cgroup.controllers"), "cpu memory pids\n");
  const says = {
    mountinfo: `41 31 0:38 /system.slice ${tree} rw - cgroup2 cgroup2 rw\n`,
    // It moved there before.
    cgroup: "1:name=systemd:/elsewhere\n0::/system.slice/millrace.service/millrace-server\n",
  };
  const groups = await findControlGroups("millrace-0123456789", (file) => Promise.resolve(says[file]));
  expect(groups.missing).toBeNull();
  const group = await groups.open("org_a", "prj_a-linux-amd64");
  expect(group?.folders).toEqual([join(own, "millrace-0123456789/org_a/prj_a-linux-amd64")]);
  expect(readFileSync(join(own, "cgroup.subtree_control"), "utf8")).toBe("+cpu +memory +pids");
  // Four times the weight of all builders together.
  expect(readFileSync(join(server, "cpu.weight"), "utf8")).toBe("400");
});

test("6. platforms", () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "empty"));
  const put = (name: string, flags: string, state = "enabled") =>
    writeFileSync(join(folder, name), `${state}\ninterpreter /usr/bin/${name}\nflags: ${flags}\noffset 0\n`);
  put("qemu-aarch64", "POCF");
  put("qemu-arm", "POC");
  put("qemu-s390x", "F", "disabled");
  put("python3.11", "F");
  expect(findPlatforms("x64", folder)).toEqual(["linux/amd64", "linux/386", "linux/arm64"]);
  expect(findPlatforms("x64", join(folder, "nowhere"))).toEqual(["linux/amd64", "linux/386"]);
});
