/**
 * Builders through the single port of the server, with the real clients, and nginx and Caddy as `deploy/proxies` has
 * them:
 *
 * 1. Behind a proxy that ends TLS, the CLI builds by a tunnel: again CACHED, with a large context that arrives
 *    unchanged, on two platforms at once, and with Bake.
 * 2. Ctrl-C and a cancellation end a build behind a proxy, and no tunnel is reported as the cause.
 * 3. buildctl reaches its builder by the same port in clear text; without a tunnel, a server behind a proxy says what to do.
 * 4. With a certificate of the server's own, the CLI's buildx reaches it by the same port, and by a port of its own.
 */
import { spawn } from "node:child_process";
import { createHash, randomFillSync } from "node:crypto";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comesTrue } from "../../attack/processes.ts";
import { freePort } from "../../attack/server-process.ts";
import {
  isInstalled,
  makeCertificate,
  proxies,
  type RunningProxy,
  startProxy,
} from "../../deploy/proxy-process.ts";
import { buildCli, type Ended, runCli } from "../cli-process.ts";
import { findBuildKit, findBuildx } from "../registry/tools.ts";
import { createClient } from "./build-client.ts";
import { type BuildServer, OWNER_TOKEN, startBuildServer } from "./build-server.ts";
import { idOf } from "./cli-stage.ts";

const BUILD_MS = 180_000;
const NOTICE_MS = 30_000;
const [buildkit, buildx] = [await findBuildKit(), await findBuildx()];
const here = proxies.filter(({ name }) => name !== "Traefik");
const canRun = buildkit !== null && buildx !== null && here.every(isInstalled);
const SHELL = 'FROM scratch\nCOPY busybox /bin/busybox\nSHELL ["/bin/busybox", "sh", "-c"]\n';
const MB = 1_000_000;
/** For all proxies together, in sequence. */
const CONTEXT_MB = 400;

describe.runIf(canRun)("one port", { timeout: BUILD_MS }, () => {
  // Layers need a disk whose files can be laid over each other.
  const folder = mkdtempSync("/var/tmp/millrace-one-port-");
  const [work, home] = [join(folder, "work"), join(folder, "home")];
  const running = new Map<string, RunningProxy>();
  let server: BuildServer;
  let main: string;
  let projectId: string;

  beforeAll(async () => {
    process.env["BUILDKITD"] = join(buildkit ?? "", "buildkitd");
    for (const path of [work, home, join(folder, "tmp")]) mkdirSync(path);
    copyFileSync("/usr/bin/busybox", join(work, "busybox"));
    main = await buildCli(join(folder, "package"));
    const port = await freePort();
    for (const kind of here) running.set(kind.name, await startProxy(kind, port, "localhost"));
    server = await startBuildServer({
      folder: join(folder, "data"),
      port,
      env: {
        HOST: "127.0.0.1",
        SITE_ORIGIN: `https://localhost:${running.get("nginx")?.port}`,
        TRUSTED_PROXIES: "loopback",
      },
    });
    const { body } = await server.call("ProjectService/Create", { name: "web" });
    projectId = body.project.id;
    writeFileSync(join(work, "millrace.json"), JSON.stringify({ project: projectId }));
  }, BUILD_MS);
  afterAll(async () => {
    await server?.close();
    for (const proxy of running.values()) await proxy.stop();
    rmSync(folder, { recursive: true, force: true });
  }, BUILD_MS);

  const envFor = (origin: string, certificate = "") => ({
    HOME: home,
    TMPDIR: join(folder, "tmp"),
    MILLRACE_URL: origin,
    MILLRACE_TOKEN: OWNER_TOKEN,
    MILLRACE_BUILDX: buildx ?? "",
    ...(certificate !== "" && { NODE_EXTRA_CA_CERTS: certificate }),
  });
  const envOf = (name: string) => {
    const { port, certificate } = running.get(name)!;
    return envFor(`https://localhost:${port}`, certificate);
  };
  const millrace = (name: string, args: string): Promise<Ended> =>
    runCli(main, args.split(" "), { env: envOf(name), cwd: work });
  const write = (dockerfile: string) => writeFileSync(join(work, "Dockerfile"), dockerfile);

  /** New bytes each time, since only changes are sent. @returns their SHA-256 */
  function writeLarge(): string {
    const sum = createHash("sha256");
    const file = openSync(join(work, "large"), "w");
    const part = Buffer.alloc(MB);
    for (let left = CONTEXT_MB / here.length; left > 0; left -= 1) {
      sum.update(randomFillSync(part));
      writeSync(file, part);
    }
    closeSync(file);
    return sum.digest("hex");
  }

  test.each(here)("1. through $name", async ({ name }) => {
    const tunnels = server.tunnels();
    write(`${SHELL}COPY large /\nRUN busybox sha256sum /large && busybox echo ${name} > /name\n`);
    const sum = writeLarge();
    const first = await millrace(name, "build --progress plain .");
    expect(first.code, `${first.stderr}\n${server.logged.join("\n")}`).toBe(0);
    expect(first.stderr).toContain(`${sum}  /large`);
    expect(server.tunnels()).toBeGreaterThan(tunnels);
    const again = await millrace(name, "build --progress plain .");
    expect(again.stderr.match(/^#\d+ CACHED$/gm)).toHaveLength(3);
    expect(again.stderr).toMatch(/\nbld_[0-9a-z]{10} succeeded\n$/);
    rmSync(join(work, "large"));
    const targets = Object.fromEntries(["one", "two"].map((each) => [each, { args: { WHICH: each } }]));
    const bake = { group: { default: { targets: ["one", "two"] } }, target: targets };
    writeFileSync(join(work, "docker-bake.json"), JSON.stringify(bake));
    write(`${SHELL}ARG WHICH\nARG TARGETPLATFORM\nRUN busybox echo $WHICH for $TARGETPLATFORM by ${name}\n`);
    const baked = await millrace(name, "bake --progress plain --set *.platform=linux/amd64,linux/386");
    expect(baked.code, baked.stderr).toBe(0);
    for (const which of ["one", "two"])
      for (const platform of ["amd64", "386"])
        expect(baked.stderr).toContain(`${which} for linux/${platform} by ${name}\n`);
    expect(readdirSync(join(folder, "tmp"))).toEqual([]);
  });

  test.each(here)("2. ends, through $name", async ({ name }) => {
    for (const end of ["SIGINT", "cancel"] as const) {
      write(`${SHELL}RUN busybox echo begun ${name} ${end} && busybox sleep 6540\n`);
      const child = spawn(process.execPath, [main, "build", "--progress", "plain", "."], {
        cwd: work,
        env: { PATH: process.env["PATH"] ?? "", ...envOf(name) },
        stdio: ["ignore", "ignore", "pipe"],
      });
      let told = "";
      child.stderr.on("data", (text: Buffer) => (told += text.toString()));
      const ended = once(child, "close");
      expect(await comesTrue(() => told.includes(` begun ${name} ${end}\n`), NOTICE_MS), told).toBe(true);
      const { body } = await server.call("BuildService/ListBuilds", { states: ["running"] });
      const [{ id }] = body.builds;
      if (end === "SIGINT") child.kill("SIGINT");
      else await server.call("BuildService/CancelBuild", { build_id: id });
      expect((await ended)[0]).toBe(end === "SIGINT" ? 130 : 1);
      expect(told).toContain(`${id} canceled`);
      expect(told).not.toMatch(/was lost|cannot be reached/);
    }
  });

  test("3. buildctl, in clear text", async () => {
    const tools = { programs: buildkit!, base: { folder: "", digest: "" }, folder };
    const client = createClient(server.call, tools);
    const project = { id: projectId, name: "web", token: OWNER_TOKEN };
    const buildId = await client.create(project);
    await expect(client.reach(project, buildId)).rejects.toThrow(
      "this server's builders are reached by a tunnel through its proxy, and this client does not open tunnels",
    );
    const { body } = await server.call("BuilderService/GetEndpoint", {
      build_id: buildId,
      platform: "linux/amd64",
      tunnel: true,
    });
    expect(body).toMatchObject({
      tunnel_path: "/builders/connect",
      server_name: "builders.millrace.internal",
    });
    expect(body.address ?? "").toBe("");
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    write(`${SHELL}RUN busybox echo by one port\n`);
    const args = [
      `--addr=tcp://127.0.0.1:${server.port}`,
      `--tlsservername=${body.server_name}`,
      `--tlscacert=${file("ca.pem", body.ca_certificate)}`,
      `--tlscert=${file("cert.pem", body.client_certificate)}`,
      `--tlskey=${file("key.pem", body.client_key)}`,
      "build",
      "--progress=plain",
      "--frontend=dockerfile.v0",
      `--local=context=${work}`,
      `--local=dockerfile=${work}`,
    ];
    const child = spawn(join(buildkit!, "buildctl"), args, { stdio: ["ignore", "ignore", "pipe"] });
    let told = "";
    child.stderr.on("data", (text: Buffer) => (told += text.toString()));
    const [code] = await once(child, "close");
    expect(code, told).toBe(0);
    expect(told).toContain("by one port");
    const ended = { build_id: buildId, succeeded: true };
    expect((await server.call("BuildService/FinishBuild", ended)).body.build.state).toBe("succeeded");
  });

  test.each(["the same port", "a port of its own"])("4. a certificate of its own, %s", async (which) => {
    const { certificate, key } = makeCertificate(folder, "localhost");
    const secure = await startBuildServer({
      folder: join(folder, which.replaceAll(" ", "-")),
      env: {
        TLS_CERT: certificate,
        TLS_KEY: key,
        ...(which === "a port of its own" && { MILLRACE_BUILDER_PORT: "0" }),
      },
    });
    try {
      const env = envFor(secure.origin, certificate);
      const run = (args: string) => runCli(main, args.split(" "), { env, cwd: work });
      const created = await run("projects create secure --output json");
      const { id } = JSON.parse(created.stdout) as { id: string };
      write(`${SHELL}RUN busybox echo by TLS\n`);
      const built = await run(`build --progress plain --project ${id} .`);
      expect(built.code, built.stderr).toBe(0);
      expect(built.stderr).toContain("by TLS");
      expect(idOf(built.stderr)).toMatch(/^bld_/);
      // buildx itself has connected.
      expect(secure.tunnels()).toBe(0);
    } finally {
      await secure.close();
    }
  });
});
