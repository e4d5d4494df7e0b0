/**
 * The production server on one folder, restarted repeatedly, with a real buildkitd in that folder:
 *
 * 1. After a restart a layer cache is unchanged: a script that another stage made executable is executable in the
 *    image, steps run on cached steps, and earlier builds are CACHED. The first start on a folder on which a former
 *    release was started once changes nothing either.
 * 2. A cache that a start of a former release has spoiled gives images with wrong modes, in builds that succeed. The
 *    next start resets it, and names the project and these images, and no others, in the log and in the API. Builds are
 *    right again immediately.
 * 3. It is reset once: the start after that finds it whole and warm, and still names the images until someone dismisses
 *    the notice.
 */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, test } from "vitest";
import { makeAllPrivate } from "#builds/testing/machine.ts";
import { type RunningServer, startServer } from "../../attack/server-process.ts";
import { addProject, type Client, createClient, type Project } from "./build-client.ts";
import { createCall, OWNER_TOKEN } from "./build-server.ts";
import { findBuildTools } from "./machine-stage.ts";

const START_MS = 300_000;
const TOOL = "FROM base AS tools\nRUN printf '#!/bin/sh\\necho it ran\\n' > /tool && chmod 0755 /tool\n";
/** Copies from a stage that is cached, and runs a step on a cached base. */
const copyTo = (path: string) => `${TOOL}FROM base\nCOPY --from=tools /tool ${path}\nRUN ${path}\n`;
/** Only copies: no step sees what happens to the file. */
const packAt = (path: string) => `${TOOL}FROM scratch\nCOPY --from=tools /tool ${path}\n`;

const tools = await findBuildTools();

describe.skipIf(!tools)("a server that is started again", { timeout: START_MS }, () => {
  const dataDir = join(tools?.folder ?? "", "data");
  const program = join(dataDir, "builders", "buildkitd");
  let server: RunningServer | undefined;
  let project: Project | undefined;
  let client: Client;
  let call: ReturnType<typeof createCall>;
  const origin = () => `http://localhost:${server?.port}`;
  afterAll(async () => {
    await server?.stop();
    if (tools) rmSync(tools.folder, { recursive: true, force: true });
  });

  /** Starts the server; restarts it if it runs. */
  async function start(): Promise<void> {
    await server?.stop();
    server = await startServer({
      dataDir,
      env: {
        SITE_ORIGIN: undefined,
        HOST: "localhost",
        MILLRACE_OWNER_TOKEN: OWNER_TOKEN,
        BUILDKITD: undefined,
      },
    });
    call = createCall(origin());
    client = createClient(call, tools!);
    project ??= await addProject(call, "web");
  }

  const imageOf = (tag: string) => `localhost:${server?.port}/default/web:${tag}`;

  /** A build that is pushed. @returns the last layer of its image, as tar lists it */
  async function build(dockerfile: string, tag: string) {
    const config = client.login(project!, `localhost:${server?.port}`);
    const more = [`--output=type=image,name=${imageOf(tag)},push=true`];
    const { code, output, record } = await client.build(project!, dockerfile, { more, config });
    expect(code, output).toBe(0);
    expect(record.state).toBe("succeeded");
    return { output, listed: await listLastLayer(tag), record };
  }

  async function listLastLayer(tag: string): Promise<string> {
    const authorization = `Basic ${Buffer.from(`x-token:${project?.token}`).toString("base64")}`;
    const get = (path: string) =>
      fetch(`${origin()}/v2/default/web/${path}`, {
        headers: { authorization, accept: "application/vnd.oci.image.manifest.v1+json" },
      });
    const { layers } = (await (await get(`manifests/${tag}`)).json()) as { layers: { digest: string }[] };
    const layer = await (await get(`blobs/${layers.at(-1)?.digest}`)).arrayBuffer();
    return execFileSync("tar", ["-tvf", "-"], { input: gunzipSync(layer), encoding: "utf8" });
  }

  const expectCached = ({ record, output }: Awaited<ReturnType<typeof build>>) =>
    expect(record, output).toMatchObject({ steps_cached: record.steps_total });

  const readNote = async () =>
    (await call("ProjectService/Get", { project_id: project!.id })).body.project.spoiled_cache;

  test("1. a restart", async () => {
    mkdirSync(join(dataDir, "builders"), { recursive: true });
    copyFileSync(join(tools!.programs, "buildkitd"), program);
    await start();
    const before = await build(copyTo("/before"), "before");
    expect(before.output).toMatch(/^#\d+ [\d.]+ it ran$/m);
    for (const path of ["/first", "/second"]) {
      await start();
      const packed = await build(packAt(path), path.slice(1));
      expect(packed.listed).toMatch(new RegExp(`^-rwxr-xr-x .+ ${path.slice(1)}$`, "m"));
      const run = await build(copyTo(path), `run${path.slice(1)}`);
      expect(run.output).toMatch(/^#\d+ [\d.]+ it ran$/m);
      expect(run.output).toMatch(/^#\d+ \[tools .+\n#\d+ CACHED$/m);
      expectCached(await build(copyTo("/before"), "before"));
      expect(statSync(program).mode & 0o111).toBe(0o111);
      expect(server?.output()).not.toContain("was reset");
    }
    expect(await readNote()).toBeUndefined();
  });

  test("2. after starts of a former release", async () => {
    // The effect of such a start, and of builds after it.
    makeAllPrivate(dataDir);
    const spoiled = await build(packAt("/spoiled"), "spoiled");
    expect(spoiled.listed).toMatch(/^-rw------- .+ spoiled$/m);
    makeAllPrivate(dataDir);
    const name = imageOf("spoiled");
    await start();
    const said = server?.output() ?? "";
    expect(said).toMatch(
      /The layer cache of web was reset, because since .+Z its files had different modes .+:/,
    );
    expect(said).toContain(name);
    expect(said).not.toMatch(/:(?:before|first|second|run\w+)\b/);
    const [platform] = (await call("BuilderService/ListPlatforms", {})).body.platforms;
    expect(await readNote()).toMatchObject({ platforms: [platform], images: [name], has_more_images: false });
    const { listed } = await build(packAt("/mended"), "mended");
    expect(listed).toMatch(/^-rwxr-xr-x .+ mended$/m);
    const run = await build(copyTo("/mended"), "run-mended");
    expect(run.output).toMatch(/^#\d+ [\d.]+ it ran$/m);
    expect(existsSync(program)).toBe(true);
  });

  test("3. once", async () => {
    await start();
    expect(server?.output()).not.toContain("was reset");
    expectCached(await build(copyTo("/mended"), "run-mended"));
    expect(await readNote()).toMatchObject({ images: [expect.stringMatching(/:spoiled$/)] });
    const dismiss = { project_id: project!.id, clear_spoiled_cache: true };
    expect((await call("ProjectService/Update", dismiss)).status).toBe(200);
    await start();
    expect(await readNote()).toBeUndefined();
  });
});
