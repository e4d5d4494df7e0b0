/**
 * Images of another registry, pulled through Millrace with common clients. The other registry wants a login, which only
 * the organization `acme` has set.
 *
 * 1. crane pulls an image through, byte for byte; when the other registry limits requests, or is unreachable, it pulls it again.
 * 2. Another organization gets nothing of it, whether the other registry is there or away.
 * 3. BuildKit, with Millrace as its mirror of docker.io: base image and `# syntax=` come through it, and a builder with
 *    an empty cache builds again while docker.io is unreachable.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as ask, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseMirrorHosts } from "#registry/index.ts";
import { comesTrue } from "../../attack/processes.ts";
import { TOOL_MS, useRegistryStage } from "./registry-stage.ts";
import { findBuildKit, findCrane, findFrontend } from "./tools.ts";

const [crane, buildKit, frontend] = [await findCrane(), await findBuildKit(), await findFrontend()];
const START_MS = 60_000;
const HOUR_MS = 60 * 60 * 1000;

/** In front of the other registry. */
interface Gateway {
  server: Server;
  /** `GET /v2/acme/web/manifests/v1` */
  asked: string[];
  state: "open" | "limits requests" | "is unreachable";
  port: () => number;
}

function createGateway(behind: () => string): Gateway {
  const gateway: Gateway = {
    server: createServer((request, response) => {
      gateway.asked.push(`${request.method} ${request.url}`);
      if (gateway.state === "is unreachable") return void request.socket.destroy();
      if (gateway.state === "limits requests")
        return void response.writeHead(429, { "retry-after": "60" }).end();
      const { method, headers, url } = request;
      const passed = ask(new URL(url ?? "/", behind()), { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      passed.on("error", () => response.destroy());
      request.pipe(passed);
    }),
    asked: [],
    state: "open",
    // A port of TCP has an address with a port.
    port: () => (gateway.server.address() as AddressInfo).port,
  };
  return gateway;
}

describe.skipIf(!crane)("a mirror", { timeout: TOOL_MS }, () => {
  const far = useRegistryStage();
  const gateway = createGateway(() => far().registry.url);
  const time = { passed: 0 };
  beforeAll(() => new Promise<void>((resolve) => gateway.server.listen(0, "127.0.0.1", resolve)));
  // Its tokens come from its own address.
  const near = useRegistryStage(() => ({
    clock: () => Date.now() + time.passed,
    mirror: {
      hosts: parseMirrorHosts(
        `docker.io=http://127.0.0.1:${gateway.port()},tokens.test=http://${far().host}`,
      ),
    },
  }));
  const config = { far: "", acme: "", evil: "" };
  const run = (of: keyof typeof config, ...args: string[]) =>
    near().run([crane ?? "", ...args], { env: { DOCKER_CONFIG: config[of] } });
  const image = (name = "acme/web:v1") => `${near().host}/mirror/docker.io/${name}`;

  beforeAll(async () => {
    const { host, layout, tokens } = far();
    config.far = far().makeConfig(tokens.organization);
    config.acme = near().makeConfig(near().tokens.organization);
    config.evil = near().makeConfig(near().tokens.stranger);
    const pushed = await run("far", "push", layout, `${host}/acme/web:v1`);
    expect(pushed.code, pushed.output).toBe(0);
    const { mirrors } = near().registry.registry;
    const login = { host: "docker.io", username: "x-token", password: tokens.organization };
    await mirrors?.set(near().owner.caller, login);
  }, TOOL_MS);
  afterAll(() => {
    gateway.server.closeAllConnections();
    gateway.server.close();
  });

  let pulls = 0;
  /** Pulls into a new folder, without earlier downloads. */
  async function pull(of: keyof typeof config, name?: string) {
    const into = join(near().folder, `pulled-${(pulls += 1)}`);
    return { into, ...(await run(of, "pull", "--format=oci", image(name), into)) };
  }
  const contentOf = (folder: string) => {
    const { digest } = far();
    return readFileSync(join(folder, "blobs/sha256", digest.slice("sha256:".length)));
  };

  test("1. and 2. crane", async () => {
    const { layout, host } = far();
    const foreign = async () => {
      const { code, output, into } = await pull("evil");
      expect(code, output).toBe(1);
      expect(output).toMatch(/DENIED|UNAVAILABLE|TOOMANYREQUESTS/);
      expect(existsSync(join(into, "blobs"))).toBe(false);
    };
    await foreign();
    const first = await pull("acme");
    expect(first.code, first.output).toBe(0);
    expect(contentOf(first.into)).toEqual(contentOf(layout));
    await foreign();
    for (const state of ["limits requests", "is unreachable"] as const) {
      gateway.state = state;
      // A tag is trusted for minutes; now the other registry is asked, and does not answer.
      time.passed += HOUR_MS;
      gateway.asked = [];
      const again = await pull("acme");
      expect(again.code, again.output).toBe(0);
      expect(contentOf(again.into)).toEqual(contentOf(layout));
      expect(gateway.asked).not.toEqual([]);
      await foreign();
      const missing = await pull("acme", "acme/web:never-seen");
      expect(missing.code).toBe(1);
      expect(missing.output).toContain(
        `docker.io ${state === "is unreachable" ? "cannot be reached" : state}`,
      );
    }
    gateway.state = "open";
    time.passed += HOUR_MS;
    // The tag has moved: the new image arrives.
    await run("far", "mutate", "--label", "moved=yes", "--tag", `${host}/acme/web:v1`, `${host}/acme/web:v1`);
    const now = await run("far", "digest", `${host}/acme/web:v1`);
    expect((await run("acme", "digest", image())).output).toBe(now.output);
  });

  describe.skipIf(!buildKit || !frontend)("for BuildKit", () => {
    let daemon: ChildProcess | undefined;
    const place = () => join(near().folder, "build");
    const socket = () => join(place(), "buildkitd.sock");
    beforeAll(async () => {
      mkdirSync(place());
      await pushFrontend();
      writeFileSync(
        join(place(), "Dockerfile"),
        "# syntax=docker/dockerfile:1\nFROM acme/web:base\nCOPY <<EOF /greeting\nhello\nEOF\n",
      );
      writeFileSync(
        join(place(), "buildkitd.toml"),
        `[registry."docker.io"]\n  mirrors = ["${near().host}/mirror/docker.io"]\n[registry."${near().host}"]\n  http = true\n`,
      );
      await start();
    }, TOOL_MS);
    afterAll(stop);

    /** As docker.io has it: the organization `docker`, the project `dockerfile`. */
    async function pushFrontend(): Promise<void> {
      const { registry, host, layout } = far();
      const { makePusher } = await import("#registry/testing/images.ts");
      const { secret } = await makePusher(registry, "docker", "dockerfile");
      const own = { DOCKER_CONFIG: far().makeConfig(secret) };
      const files = join(place(), "files");
      mkdirSync(files);
      const archive = join(place(), "frontend.tar");
      const to = `${host}/docker/dockerfile:1`;
      for (const command of [
        ["cp", frontend ?? "", join(files, "dockerfile-frontend")],
        ["tar", "-cf", archive, "-C", files, "dockerfile-frontend"],
        [crane ?? "", "append", "--oci-empty-base", "-f", archive, "-t", to],
        [
          crane ?? "",
          "mutate",
          to,
          "-t",
          to,
          "--entrypoint",
          "/dockerfile-frontend",
          "--set-platform",
          "linux/amd64",
        ],
      ]) {
        const { code, output } = await near().run(command, { env: own });
        expect(code, output).toBe(0);
      }
      const pushed = await run("far", "push", layout, `${host}/acme/web:base`);
      expect(pushed.code, pushed.output).toBe(0);
      // One login for all of docker.io.
      await near().registry.registry.mirrors?.set(near().owner.caller, {
        host: "docker.io",
        username: "x-token",
        password: await personOfBoth(),
      });
    }

    /** A token that reads both organizations of the other registry. */
    async function personOfBoth(): Promise<string> {
      const { createToken } = await import("#accounts/index.ts");
      const { joinOrganization } = await import("#accounts/testing/accounts.ts");
      const { accounts, database } = far().registry;
      const { userId, caller } = far().owner;
      const { id: organizationId } = await database.db
        .selectFrom("organizations")
        .select("id")
        .where("name", "=", "docker")
        .executeTakeFirstOrThrow();
      await joinOrganization({ accounts }, { organizationId, userId, role: "member" });
      return (await createToken(accounts, caller, { name: "both", type: "user" })).secret;
    }

    async function start(): Promise<void> {
      const args = [
        ["--addr", `unix://${socket()}`],
        ["--root", join(place(), "state")],
        ["--config", join(place(), "buildkitd.toml")],
        ["--otel-socket-path", join(place(), "otel.sock")],
        ["--oci-worker-snapshotter", "native"],
        ["--containerd-worker=false"],
      ].flat();
      daemon = spawn(join(buildKit ?? "", "buildkitd"), args, {
        stdio: "ignore",
        env: { ...process.env, TMPDIR: place() },
      });
      expect(await comesTrue(() => existsSync(socket()), START_MS)).toBe(true);
    }

    async function stop(): Promise<void> {
      if (!daemon || daemon.exitCode !== null) return;
      const ended = once(daemon, "exit");
      daemon.kill("SIGTERM");
      await ended;
    }

    const build = (of: keyof typeof config) =>
      near().run(
        [
          [join(buildKit ?? "", "buildctl"), "--addr", `unix://${socket()}`, "build", "--progress=plain"],
          ["--frontend", "dockerfile.v0", "--local", "context=build", "--local", "dockerfile=build"],
          ["--output", `type=oci,dest=${join(place(), "out.tar")}`],
        ].flat(),
        { env: { DOCKER_CONFIG: config[of] } },
      );

    test("3. base image and syntax", async () => {
      gateway.asked = [];
      const first = await build("acme");
      expect(first.code, first.output).toBe(0);
      expect(first.output).toContain("resolve image config for docker-image://docker.io/docker/dockerfile:1");
      expect(gateway.asked.some((each) => each.includes("/v2/docker/dockerfile/blobs/"))).toBe(true);
      expect(gateway.asked.some((each) => each.includes("/v2/acme/web/manifests/base"))).toBe(true);
      // The builder loses everything: images and resolved names.
      await stop();
      rmSync(join(place(), "state"), { recursive: true });
      rmSync(socket(), { force: true });
      await start();
      gateway.state = "is unreachable";
      time.passed += HOUR_MS;
      const again = await build("acme");
      expect(again.code, again.output).toBe(0);
      expect(again.output).not.toContain("CACHED");
    });
  });
});
