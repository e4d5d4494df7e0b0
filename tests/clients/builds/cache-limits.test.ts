/**
 * The limits of layer caches and of the disk, on a real server:
 *
 * 1. The least recently used layers go when a cache is larger than its project allows, and layers unused for as long as
 *    its project keeps them. The next build says that the layer was lost, and for which reason.
 * 2. A full disk fails builds in words that say so, and leaves nothing damaged. Files of a failed step make room for
 *    the next build automatically; where others fill the disk, the next build works when their files have gone.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { addProject, type Client, createClient, type Project } from "./build-client.ts";
import { type BuildServer, startBuildServer } from "./build-server.ts";
import { BUILD_MS, findBuildTools } from "./machine-stage.ts";

const tools = await findBuildTools();
/** buildkitd looks after its cache a second after its start and after each build, but not twice in a minute. */
const EVICTION_MS = 100_000;
const SMALL_BYTES = 40_000_000;
const SHORT_SECONDS = 5;
const DISK_MEGABYTES = 400;

describe.skipIf(!tools)("limits of caches", { timeout: BUILD_MS + EVICTION_MS }, () => {
  const folder = join(tools?.folder ?? "", "data");
  let server: BuildServer;
  let client: Client;

  beforeAll(async () => {
    process.env["BUILDKITD"] = join(tools!.programs, "buildkitd");
    mkdirSync(folder);
    server = await startBuildServer({ folder });
    client = createClient(server.call, tools!);
  }, BUILD_MS);
  afterAll(async () => {
    await server?.close();
    if (tools) rmSync(tools.folder, { recursive: true, force: true });
  });

  /** Less than the API allows, so that the test need not write gigabytes, nor wait for a day. */
  async function addSmallProject(
    name: string,
    limits: { cache_size_bytes?: number; retention_days?: number },
  ) {
    const project = await addProject(server.call, name);
    const { db } = server.accounts;
    await db.updateTable("projects").set(limits).where("id", "=", project.id).execute();
    return project;
  }

  async function usedBytes({ id }: Project): Promise<number> {
    const { body } = await server.call("ProjectService/GetCacheUsage", { project_id: id });
    return body.caches.reduce(
      (sum: number, cache: { size_bytes: number }) => sum + Number(cache.size_bytes),
      0,
    );
  }

  const names = ["one", "two", "three"];
  const stages = names.map(
    (name) => `FROM base AS ${name}\nRUN dd if=/dev/urandom of=/${name} bs=1M count=20\n`,
  );
  const buildStage = (project: Project, name: string) =>
    client.build(project, stages.join(""), { more: [`--opt=target=${name}`] });
  async function explain(build: { id: string; record: { steps: { id: string; name: string }[] } }) {
    const step = build.record.steps.find(({ name }) => name.includes("RUN dd"));
    const request = { build_id: build.id, step_id: step?.id };
    return (await server.call("BuildService/ExplainStep", request)).body;
  }

  /** Fills the disk to its end: buildkitd also writes meanwhile. */
  function fillDisk(file: string, disk: string): void {
    const { bavail, bsize } = statfsSync(disk);
    try {
      writeFileSync(file, Buffer.alloc(bavail * bsize));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }

  test.concurrent("1. size and age", async ({ expect }) => {
    const small = await addSmallProject("small", { cache_size_bytes: SMALL_BYTES });
    const short = await addSmallProject("short", { retention_days: SHORT_SECONDS / 86_400 });
    for (const name of names) expect((await buildStage(small, name)).code).toBe(0);
    expect((await buildStage(short, "one")).code).toBe(0);
    const isOver = async () =>
      (await usedBytes(small)) > SMALL_BYTES || (await usedBytes(short)) > 20_000_000;
    await expect.poll(isOver, { timeout: EVICTION_MS, interval: 500 }).toBe(false);
    expect((await buildStage(small, "three")).output).toMatch(/^#\d+ CACHED$/m);
    for (const [project, why] of [
      [small, /^full 2/],
      [short, /^unused for /],
    ] as const) {
      const again = await buildStage(project, "one");
      expect(again.output).toContain("records out");
      const { summary, causes } = await explain(again);
      expect(causes, summary).toMatchObject([{ kind: "lost", after: expect.stringMatching(why) }]);
    }
  });

  test.concurrent("2. a full disk", async ({ expect }) => {
    const project = await addProject(server.call, "full");
    const cache = join(folder, "builders", project.id);
    mkdirSync(cache);
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MEGABYTES}m`, "tmpfs", cache]);
    try {
      const kept = "FROM base\nRUN echo kept > /kept\n";
      expect((await client.build(project, kept)).code).toBe(0);
      const filling = await client.build(
        project,
        `FROM base\nRUN dd if=/dev/zero of=/large bs=1M count=${DISK_MEGABYTES}\n`,
      );
      expect(filling.code).toBe(1);
      expect(filling.record).toMatchObject({
        state: "failed",
        error: expect.stringMatching(/dd if=.*exit code: 1$/),
      });
      expect(filling.output).toMatch(/no space left on device/i);
      // Files of the failed step make room automatically.
      const after = await client.build(project, `${kept}RUN cat /kept; echo more > /more\n`);
      expect([after.code, after.record.state], after.output).toEqual([0, "succeeded"]);
      // Not always CACHED: on a full disk, buildkitd also removes layers that no build uses.
      expect(after.output).toMatch(/^#\d+ [\d.]+ kept$/m);
      const elsewhere = join(cache, "files-of-somebody-else");
      fillDisk(elsewhere, cache);
      await expect(client.build(project, "FROM base\nRUN echo others > /others\n")).rejects.toThrow(
        /^The disk of this server's layer caches is full: \d+ MB of 419 MB are free, and a build needs 34 MB to start\./,
      );
      rmSync(elsewhere);
      const again = await client.build(project, `${kept}RUN cat /kept; echo others > /others\n`);
      expect([again.code, again.record.state], again.output).toEqual([0, "succeeded"]);
    } finally {
      await server.call("ProjectService/Delete", { project_id: project.id });
      execFileSync("umount", ["--lazy", cache]);
    }
  });
});
