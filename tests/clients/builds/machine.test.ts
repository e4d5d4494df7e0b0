/**
 * Builders of this machine, with a real buildkitd:
 *
 * 1. Simultaneous callers share one builder; it stays warm, stops when no one uses it, and leaves only its cache.
 * 2. A step reaches the machine's address on its network as the machine does; not the machine's loopback, buildkitd's,
 *    link-local addresses, nor a step that runs at the same time, in the same builder or in another.
 * 3. buildkitd reaches the registry by the handed-over listener, under the server's own name, also for base images of others.
 * 4. A step that takes too much memory is ended, and the builder answers; no build gets out of its control group.
 * 5. When buildkitd is killed, builds are notified, and the next build restarts it, with its cache.
 * 6. A full disk fails the step, and then the start, with a message that says so.
 * 7. A data folder with the setgid bit does not give its group to any image.
 * 8. A step gets one file of the context, read-only.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";

import { type TestMachine, openTestMachine, placesOf, wanted } from "#builds/testing/machine.ts";
import { comesTrue } from "../../attack/processes.ts";
import {
  answerAt,
  build,
  BUILD_MS,
  findBuildTools,
  findGroups,
  findProcesses,
  findTraces,
} from "./machine-stage.ts";

const tools = await findBuildTools();
const END_MS = 20_000;

describe.skipIf(!tools)("builders", { timeout: BUILD_MS }, () => {
  const programs = tools!;
  const stages: TestMachine[] = [];
  const servers: Server[] = [];
  let folders = 0;
  const makeFolder = () => {
    // An operator's path may have spaces.
    const folder = join(programs.folder, `data of ${(folders += 1)}`);
    mkdirSync(folder);
    return folder;
  };
  const open = async (options: Parameters<typeof openTestMachine>[1] = { dataFolder: makeFolder() }) => {
    const stage = await openTestMachine(programs, options);
    stages.push(stage);
    return stage;
  };
  afterEach(async () => {
    await Promise.all(stages.splice(0).map((stage) => stage.close()));
    for (const server of servers.splice(0)) server.close();
  });
  afterAll(() => rmSync(programs.folder, { recursive: true, force: true }));

  test("1. one for all who ask, warm, stopped, and nothing left", async () => {
    const dataFolder = makeFolder();
    const { name, runFolder } = placesOf(dataFolder);
    const { builders } = await open({ dataFolder, idleMs: 300 });
    const [one, other] = await Promise.all([builders.open(wanted()), builders.open(wanted())]);
    expect([one.isNew, other.isNew]).toEqual([true, false]);
    expect(other.socket).toBe(one.socket);
    const dockerfile = "FROM base\nRUN echo built > /file\n";
    const first = await build(programs, one.socket, dockerfile);
    expect(first.code, first.output).toBe(0);
    one.release();
    one.release();
    // The second caller still uses it.
    expect((await build(programs, other.socket, dockerfile)).output).toContain("CACHED");
    other.release();
    await one.ended;
    const again = await builders.open(wanted());
    expect(again.isNew).toBe(true);
    expect((await build(programs, again.socket, dockerfile)).output).toContain("CACHED");
    const [usage] = await builders.usage(wanted().projectId);
    expect(usage?.bytes).toBeGreaterThan(1_000_000);
    again.release();
    expect((await builders.reset(wanted().projectId)).freedBytes).toBe(usage?.bytes);
    expect(await builders.usage(wanted().projectId)).toEqual([]);
    const [anew] = await Promise.all([builders.open(wanted()), builders.reset(wanted().projectId)]);
    expect((await build(programs, anew.socket, dockerfile)).code).toBe(0);
    await builders.close();
    await expect(builders.open(wanted())).rejects.toThrow("The server is stopping");
    expect(findTraces([dataFolder, runFolder])).toEqual([]);
    expect(findGroups(name)).toEqual([]);
  });

  test("2. what a step reaches", async () => {
    const { builders } = await open();
    const { socket } = await builders.open(wanted());
    const outside = await answerAt("0.0.0.0", "from the machine");
    const loopback = await answerAt("127.0.0.1", "secret of the machine");
    servers.push(outside.server, loopback.server);
    const address = Object.values(networkInterfaces())
      .flatMap((each) => each ?? [])
      .find(({ family, internal }) => family === "IPv4" && !internal)?.address;
    const ask = (where: string) =>
      `printf "GET / HTTP/1.0\\r\\n\\r\\n" | nc -w 3 ${where.replace(":", " ")} 2>&1 | tail -n 1; echo " <- ${where}";`;
    const refused = [
      ...["127.0.0.1", "10.64.0.1", "10.64.0.2", "10.64.0.3"].map((each) => `${each}:${loopback.port}`),
      ...["127.0.0.1", "10.64.0.1", "10.64.0.2"].map((each) => `${each}:3999`),
      "169.254.169.254:80",
    ];
    const asked = [...refused, ...(address === undefined ? [] : [`${address}:${outside.port}`])].map(ask);
    const { code, output } = await build(programs, socket, `FROM base\nRUN ${asked.join(" ")}\n`);
    expect(code, output).toBe(0);
    for (const where of refused) expect(output).toContain(` <- ${where}`);
    expect(output).not.toContain("secret of the machine");
    if (address !== undefined) expect(output).toContain(`from the machine <- ${address}:${outside.port}`);
  });

  test("2. steps at the same time", async () => {
    const { builders } = await open();
    const { socket } = await builders.open(wanted());
    const shared = "RUN --mount=type=cache,target=/shared,sharing=shared";
    const until = (file: string) => `until [ -e /shared/${file} ]; do usleep 10000; done`;
    const answer = "echo reached me";
    const dockerfile = [
      "FROM base AS one",
      `${shared} (while nc -l -p 7000 -e ${answer}; do :; done) & until nc -w 1 127.0.0.1 7000 | grep "reached me" ; do usleep 10000; done;` +
        ` hostname -i > /dev/null; ip -4 -o address show dev eth0 | awk '{ split($4, a, "/"); print a[1] }' > /shared/address.new;` +
        ` mv /shared/address.new /shared/address; ${until("asked")}; echo ended > /one`,
      "FROM base AS two",
      `${shared} ${until("address")}; read -r at < /shared/address; echo "asks $at"; echo | nc -w 2 $at 7000 || echo "refused by $at";` +
        " touch /shared/asked; echo ended > /two",
      "FROM base",
      "COPY --from=one /one /",
      "COPY --from=two /two /",
    ].join("\n");
    const { code, output } = await build(programs, socket, dockerfile);
    expect(code, output).toBe(0);
    expect(output).toMatch(/refused by 10\.64\.\d+\.\d+/);
    // Only the step itself, which proves that it listens.
    expect(output.match(/^#\d+ [\d.]+ reached me/gm)).toHaveLength(1);
  });

  test("2. a step of another builder", async () => {
    const { builders } = await open();
    const other = await builders.open(wanted({ projectId: "prj_other" }));
    const { socket } = await builders.open(wanted());
    const listening = build(
      programs,
      other.socket,
      "FROM base\nRUN while :; do nc -l -p 7001 -e echo reached you; done\n",
    );
    expect(await comesTrue(() => findProcesses("nc -l -p 7001 -e").length > 0, END_MS)).toBe(true);
    const addresses = "1 2 3 4 5 6 7 8 9";
    const asking = `FROM base\nRUN for n in ${addresses}; do echo | nc -w 1 10.64.1.$n 7001; done; echo asked all\n`;
    const { output } = await build(programs, socket, asking);
    expect(output).toMatch(/^#\d+ [\d.]+ asked all/m);
    expect(output).not.toMatch(/^#\d+ [\d.]+ reached you/m);
    await builders.close();
    expect((await listening).code).not.toBe(0);
  });

  test("3. the registry inside", async () => {
    const { builders, asked } = await open({
      dataFolder: makeFolder(),
      registryHost: "millrace.example.com",
    });
    const { socket } = await builders.open(wanted());
    await build(programs, socket, "FROM millrace.example.com/acme/web:1\n");
    expect(asked).toContain("millrace.example.com /v2/acme/web/manifests/1");
    await build(programs, socket, "FROM alpine:3\n");
    expect(asked.join("\n")).toContain(
      "millrace.example.com /v2/mirror/docker.io/library/alpine/manifests/3",
    );
  });

  test("4. limits", async () => {
    const { builders } = await open({ dataFolder: makeFolder(), cpuMemoryBytes: 64 * 1024 ** 2 });
    const place = await builders.open(wanted());
    const taking = "FROM base\nRUN dd if=/dev/zero of=/dev/null bs=400M count=1\n";
    const { code, output } = await build(programs, place.socket, taking);
    expect(code).not.toBe(0);
    expect(output).toMatch(/exit code: 137|Killed|OOM/);
    const elsewhere = `FROM base\nRUN cat /proc/self/cgroup\n`;
    const other = await build(programs, place.socket, elsewhere, ["--opt", "cgroup-parent=/../../elsewhere"]);
    expect(other.code, other.output).toBe(0);
    expect(findGroups("elsewhere")).toEqual([]);
  });

  test("5. buildkitd is killed", async () => {
    const { builders } = await open();
    const place = await builders.open(wanted());
    const dockerfile = "FROM base\nRUN echo kept\n";
    expect((await build(programs, place.socket, dockerfile)).code).toBe(0);
    const cut = build(programs, place.socket, "FROM base\nRUN sleep 1234567\n");
    expect(await comesTrue(() => findProcesses("sleep 1234567").length > 0, END_MS)).toBe(true);
    const daemons = findProcesses(
      `${programs.programs}/buildkitd`,
      place.socket.replace("buildkitd.sock", ""),
    );
    for (const id of daemons) process.kill(id, "SIGKILL");
    await place.ended;
    expect((await cut).code).not.toBe(0);
    expect(await comesTrue(() => findProcesses("sleep 1234567").length === 0, END_MS)).toBe(true);
    const again = await builders.open(wanted());
    expect(again.isNew).toBe(true);
    expect((await build(programs, again.socket, dockerfile)).output).toContain("CACHED");
  });

  test("6. a full disk", async () => {
    const dataFolder = makeFolder();
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=96m", "tmpfs", dataFolder]);
    try {
      const stage = await open({ dataFolder });
      const { socket } = await stage.builders.open(wanted());
      const filling = "FROM base\nRUN dd if=/dev/zero of=/large bs=1M count=200\n";
      const { code, output } = await build(programs, socket, filling);
      expect(code).not.toBe(0);
      expect(output).toMatch(/no space left on device/i);
      await stage.close();
      // The step's files make room automatically.
      const second = await open({ dataFolder });
      const after = await second.builders.open(wanted());
      expect((await build(programs, after.socket, "FROM base\nRUN echo > /small\n")).code).toBe(0);
      await second.close();
      const { builders, close } = await open({ dataFolder });
      const { bavail, bsize } = statfsSync(dataFolder);
      const left = 20 * 1024 ** 2;
      writeFileSync(join(dataFolder, "filler"), Buffer.alloc(Math.max(0, bavail * bsize - left)));
      await expect(builders.open(wanted())).rejects.toThrow(/disk of .+ is full: [\d.]+ MB of .+ are free/);
      await close();
    } finally {
      execFileSync("umount", [dataFolder]);
    }
  });

  test("7. a folder's group", async () => {
    const dataFolder = makeFolder();
    chownSync(dataFolder, 0, 1000);
    chmodSync(dataFolder, 0o2770);
    const { builders } = await open({ dataFolder });
    const { socket } = await builders.open(wanted());
    const dockerfile = "FROM base\nRUN mkdir /made\nRUN ls -ldn / /made\n";
    const { code, output } = await build(programs, socket, dockerfile);
    expect(code, output).toBe(0);
    expect(output.match(/ drwxr-xr-x +\d+ 0 +0 .+ \/(?:made)?$/gm), output).toHaveLength(2);
  });

  test("8. one file of the context", async () => {
    const { builders } = await open();
    const { socket } = await builders.open(wanted());
    const dockerfile =
      'FROM base\nRUN --mount=type=bind,source=Dockerfile,target=/one grep -c "^FROM" /one && ! echo x > /one\n';
    const { code, output } = await build(programs, socket, dockerfile);
    expect(code, output).toBe(0);
    expect(output).toContain("Read-only file system");
  });
});
