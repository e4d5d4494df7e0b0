/**
 * The built CLI against a registry with the API.
 * 1. `images list` and `images delete` print the documentation's output, as a table, JSON and CSV.
 * 2. `push` gives another tag; into another project blobs are mounted; into another registry they are copied, all
 *    platforms, with the login that Docker's configuration has; existing blobs are not sent again.
 * 3. `pull --output` writes an archive that `push --input` puts into another project, byte for byte, several images
 *    together; a damaged archive is refused, and nothing is left behind. A broken transfer is resumed. A project's
 *    read-only token is enough to pull, but for nothing else.
 * 4. `pull` without Docker names `--output`; impossible requests are refused before anything is done.
 * 5. The credential helper speaks Docker's protocol; `configure-docker` installs it, keeps Docker's other settings, and
 *    removes it again. `docker login` works with it where Docker's command line is installed.
 * 6. No output has a token.
 */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createCallers } from "#accounts/index.ts";
import { OWNER_TOKEN, openTestApi } from "#api/testing/api.ts";
import { createRegistryHandler, createRegistryTraffic } from "#registry/index.ts";
import { freePort } from "../attack/server-process.ts";
import { startCuttingProxy } from "./cache/cutting-proxy.ts";
import { buildCli, collect, makePlace, runCli } from "./cli-process.ts";

type TestApi = Awaited<ReturnType<typeof openTestApi>>;

const place = makePlace();
const home = place.home();
let main: string;
let near: Server;
let far: Server;
const printed: string[] = [];

interface Server {
  api: TestApi;
  host: string;
  origin: string;
  /** `PATCH /v2/default/web/blobs/uploads/…` */
  requests: string[];
  /** Ids by name. */
  projects: Map<string, string>;
  /** The connection of the next upload is cut in the middle. */
  cutNext: boolean;
  close: () => Promise<void>;
}

async function startServer(projects: readonly string[]): Promise<Server> {
  const api = await openTestApi("sqlite", { rateLimitFactor: 0 });
  const { accounts, registry } = api;
  const log = {
    debug() {},
    info() {},
    warn: console.warn,
    error: console.error,
    writes: () => false,
    flush() {},
  };
  const callers = createCallers(accounts, { rateLimitFactor: 0 });
  const handle = createRegistryHandler({ registry, callers, traffic: createRegistryTraffic(), log });
  const answerApi = getRequestListener(api.api.app.fetch);
  const server: Server = {
    api,
    host: "",
    origin: "",
    requests: [],
    projects: new Map(),
    cutNext: false,
    close,
  };
  const listening = createServer((request: IncomingMessage, response: ServerResponse) => {
    server.requests.push(`${request.method} ${request.url}`);
    if (server.cutNext && request.method === "PATCH") {
      server.cutNext = false;
      let seen = 0;
      request.on("data", (chunk: Buffer) => {
        seen += chunk.length;
        if (seen > 2_000_000) request.socket.destroy();
      });
    }
    if (request.url?.startsWith("/v2")) handle(request, response);
    else void answerApi(request, response);
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  // A port of TCP has an address with a port.
  server.host = `127.0.0.1:${(listening.address() as AddressInfo).port}`;
  server.origin = `http://${server.host}`;
  // The address from which clients get a token.
  Object.assign(accounts, { origin: server.origin });
  async function close() {
    listening.closeAllConnections();
    await new Promise((resolve) => listening.close(resolve));
    await api[Symbol.asyncDispose]();
  }
  for (const name of projects) {
    const { body } = await api.call("ProjectService/Create", { name });
    server.projects.set(name, body.project.id);
  }
  return server;
}

beforeAll(async () => {
  main = await buildCli(join(place.path, "package"));
  near = await startServer(["web", "copy", "carried"]);
  far = await startServer(["web"]);
}, 180_000);
afterAll(async () => {
  await near.close();
  await far.close();
  place.remove();
});

const environment = (more: Record<string, string> = {}) => ({
  HOME: home,
  MILLRACE_URL: near.origin,
  MILLRACE_TOKEN: OWNER_TOKEN,
  MILLRACE_PROJECT: near.projects.get("web") ?? "",
  ...more,
});
async function millrace(args: string, more: Record<string, string> = {}, input?: string) {
  const ended = await runCli(main, args.split(" "), { env: environment(more), cwd: home, input });
  printed.push(ended.stdout, ended.stderr);
  return ended;
}

const digestOf = (bytes: Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const IMAGE = "application/vnd.oci.image.manifest.v1+json";
const INDEX = "application/vnd.oci.image.index.v1+json";

const authorization = `Basic ${Buffer.from(`x-token:${OWNER_TOKEN}`).toString("base64")}`;
async function v2(
  { origin }: Server,
  method: string,
  path: string,
  body?: Uint8Array<ArrayBuffer>,
  type = "",
) {
  const headers = { authorization, "content-type": type, accept: `${IMAGE}, ${INDEX}` };
  return fetch(`${origin}/v2/${path}`, { method, headers, ...(body && { body }) });
}
async function putBlob(server: Server, path: string, bytes: Uint8Array<ArrayBuffer>) {
  const digest = digestOf(bytes);
  const answer = await v2(
    server,
    "POST",
    `${path}/blobs/uploads/?digest=${digest}`,
    bytes,
    "application/octet-stream",
  );
  expect(answer.status).toBe(201);
  return { digest, size: bytes.length };
}
async function putManifest(server: Server, path: string, reference: string, manifest: object) {
  const bytes = Buffer.from(JSON.stringify({ schemaVersion: 2, ...manifest }));
  const { mediaType } = manifest as { mediaType: string };
  const answer = await v2(
    server,
    "PUT",
    `${path}/manifests/${reference || digestOf(bytes)}`,
    bytes,
    mediaType,
  );
  expect(answer.status).toBe(201);
  return { mediaType, digest: digestOf(bytes), size: bytes.length };
}
/** An index of two platforms, each with a layer of its own. */
async function pushIndex(server: Server, path: string, tag: string, layer = "layer") {
  const manifests: object[] = [];
  for (const architecture of ["amd64", "arm64"]) {
    const config = await putBlob(server, path, Buffer.from(JSON.stringify({ os: "linux", architecture })));
    const content = await putBlob(server, path, Buffer.from(`${layer} of ${architecture}`.repeat(1000)));
    const descriptor = await putManifest(server, path, "", {
      mediaType: IMAGE,
      config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
      layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar+gzip", ...content }],
    });
    manifests.push({ ...descriptor, platform: { os: "linux", architecture } });
  }
  return putManifest(server, path, tag, { mediaType: INDEX, manifests });
}
const digestAt = async (server: Server, path: string, tag: string) =>
  (await v2(server, "HEAD", `${path}/manifests/${tag}`)).headers.get("docker-content-digest");
/** Logged in to the other server, as `docker login` leaves it. */
const dockerFolder = (auth = authorization.slice("Basic ".length)) => {
  const folder = join(place.home(), ".docker");
  mkdirSync(folder);
  writeFileSync(
    join(folder, "config.json"),
    JSON.stringify({ auths: { [far.host]: { auth } }, detachKeys: "ctrl-x" }),
  );
  return folder;
};

test("1. images list and delete", async () => {
  const { digest } = await pushIndex(near, "default/web", "staging");
  await putManifest(near, "default/web", "bld_m4c7wq2x9e", { mediaType: INDEX, manifests: [] });
  const list = await millrace("images list");
  expect(list.stderr).toBe("");
  const lines = list.stdout.split("\n");
  expect(lines[0]).toMatch(/^TAGS +DIGEST +PLATFORMS +SIZE +EXPIRES$/);
  const [saved = "", own = ""] = lines.slice(1);
  expect(saved).toMatch(/^bld_m4c7wq2x9e +sha256:[0-9a-f]{12} +- +0 bytes +2026-11-29$/);
  expect(own).toMatch(
    new RegExp(`^staging +${digest.slice(0, 19)} +linux/amd64, linux/arm64 +[\\d.]+ kB +never$`),
  );
  expect((await millrace("images list --limit 1")).stdout.trim().split("\n")).toHaveLength(2);
  const json = JSON.parse((await millrace("images list --output json")).stdout) as {
    digest: string;
    tags: string[];
  }[];
  expect(json.map(({ tags }) => tags)).toEqual([["bld_m4c7wq2x9e"], ["staging"]]);
  expect((await millrace("images list --output csv")).stdout.split("\n")[0]).toContain(
    "digest,tags,platforms,size_bytes",
  );
  expect(await millrace("images delete staging")).toMatchObject({ code: 2, stdout: "" });
  const deleted = await millrace(`images delete --yes staging bld_m4c7wq2x9e`);
  expect(deleted).toMatchObject({ code: 0, stdout: "Deleted staging\nDeleted bld_m4c7wq2x9e\n" });
  expect(await millrace("images delete --yes staging")).toMatchObject({ code: 4 });
  expect(await digestAt(near, "default/web", "staging")).toBeNull();
});

test("2. push", { timeout: 60_000 }, async () => {
  const { digest } = await pushIndex(near, "default/web", "staging");
  const short = digest.slice(0, 19);
  expect(await millrace("push staging --tag production")).toMatchObject({
    stderr: "",
    stdout: `staging is now production: ${short}\n`,
  });
  expect(await digestAt(near, "default/web", "production")).toBe(digest);
  near.requests.length = 0;
  expect(await millrace(`push staging --tag ${near.host}/default/copy:1.4`)).toMatchObject({
    stderr: "",
    stdout: `${near.host}/default/copy:1.4@${digest}\n`,
  });
  expect(await digestAt(near, "default/copy", "1.4")).toBe(digest);
  // Nothing passed through this machine.
  expect(near.requests.filter((line) => /^(?:PATCH|PUT .*\/blobs\/|GET .*\/blobs\/)/.test(line))).toEqual([]);
  const login = { DOCKER_CONFIG: dockerFolder() };
  expect(
    await millrace(`push staging -t ${far.host}/default/web:1.4 -t ${far.host}/default/web:latest`, login),
  ).toMatchObject({
    stderr: "",
    stdout: `${far.host}/default/web:1.4@${digest}\n${far.host}/default/web:latest@${digest}\n`,
  });
  expect(await digestAt(far, "default/web", "1.4")).toBe(digest);
  far.requests.length = 0;
  await millrace(`push staging --tag ${far.host}/default/web:again`, login);
  expect(far.requests.filter((line) => line.includes("/blobs/"))).toEqual([]);
  // A transfer that breaks in the middle of a layer is resumed.
  const large = Buffer.alloc(9_000_000, 7);
  const config = await putBlob(near, "default/web", Buffer.from("{}"));
  const layer = await putBlob(near, "default/web", large);
  await putManifest(near, "default/web", "large", {
    mediaType: IMAGE,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
    layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", ...layer }],
  });
  far.cutNext = true;
  expect(await millrace(`push large --tag ${far.host}/default/web:large`, login)).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(far.cutNext).toBe(false);
  expect(await digestAt(far, "default/web", "large")).toBe(await digestAt(near, "default/web", "large"));
  const none = { DOCKER_CONFIG: join(home, "nothing") };
  const stranger = await millrace(`push staging --tag ${far.host}/default/web:no`, none);
  expect(stranger).toMatchObject({
    code: 3,
    stderr: `millrace: unauthenticated: ${far.host} requires a login for default/web: run docker login ${far.host}\n`,
  });
  const wrong = { DOCKER_CONFIG: dockerFolder(Buffer.from("x-token:mr_user_wrong").toString("base64")) };
  expect((await millrace(`push staging --tag ${far.host}/default/web:no`, wrong)).stderr).toContain(
    "rejects the login",
  );
  expect(await millrace(`push nothing --tag ${far.host}/default/web:no`, login)).toMatchObject({ code: 4 });
  expect((await millrace(`push staging --tag ${far.host}/default/none:no`, login)).stderr).toContain(
    "NAME_UNKNOWN",
  );
});

test("3. an archive", { timeout: 60_000 }, async () => {
  const one = await pushIndex(near, "default/web", "one", "first");
  const two = await pushIndex(near, "default/web", "two", "second");
  const file = join(home, "image.tar");
  const pulled = await millrace(`pull one two --output ${file}`);
  expect(pulled).toMatchObject({ code: 0, stderr: "" });
  expect(pulled.stdout).toMatch(/^Wrote .*image\.tar with one, two \([\d.]+ kB\)\n$/);
  const listed = await collect("tar", ["-tf", file], {});
  expect(listed.stdout.split("\n").slice(0, 1)).toEqual(["oci-layout"]);
  expect(listed.stdout).toContain("index.json");
  const carried = { MILLRACE_PROJECT: near.projects.get("carried") ?? "" };
  expect(await millrace(`push --input ${file}`, carried)).toMatchObject({
    stderr: "",
    stdout: [
      `${near.host}/default/carried:one@${one.digest}`,
      `${near.host}/default/carried:two@${two.digest}\n`,
    ].join("\n"),
  });
  expect(await digestAt(near, "default/carried", "one")).toBe(one.digest);
  expect(await digestAt(near, "default/carried", "two")).toBe(two.digest);
  expect(await millrace(`push --input ${file} --tag three`, carried)).toMatchObject({ code: 2 });
  const half = join(home, "arm.tar");
  expect(await millrace(`pull one --platform linux/arm64 --output ${half}`)).toMatchObject({ code: 0 });
  expect(statSync(half).size).toBeLessThan(statSync(file).size / 2);
  expect(await millrace(`push --input ${half} --tag arm`, carried)).toMatchObject({ code: 0 });
  expect((await millrace(`pull one --platform linux/s390x --output ${half}`)).stderr).toContain(
    "linux/amd64, linux/arm64",
  );
  const bytes = readFileSync(file);
  const at = bytes.indexOf("first of amd64");
  bytes.write("X", at);
  const damaged = join(home, "damaged.tar");
  writeFileSync(damaged, bytes);
  expect(
    (await millrace(`push --input ${damaged}`, { MILLRACE_PROJECT: near.projects.get("copy") ?? "" })).stderr,
  ).toContain("the received bytes do not match sha256:");
  expect(await digestAt(near, "default/copy", "one")).toBeNull();
  writeFileSync(damaged, bytes.subarray(0, at));
  expect((await millrace(`push --input ${damaged}`)).stderr).toContain("ends in the middle of a file");
  expect(await millrace(`pull nothing --output ${join(home, "none.tar")}`)).toMatchObject({ code: 4 });
  expect(readdirSync(home).filter((name) => name.startsWith("none"))).toEqual([]);
});

test("3. with a read-only token", { timeout: 60_000 }, async () => {
  const { digest } = await pushIndex(near, "default/web", "for-readers", "third");
  const project_id = near.projects.get("web") ?? "";
  const input = { name: "cluster", type: "project", project_id, read_only: true };
  const { body } = await near.api.call("TokenService/Create", input);
  const reader = { MILLRACE_TOKEN: body.secret as string };
  expect((await millrace("images list", reader)).stdout).toContain(digest.slice(0, 19));
  const file = join(home, "read.tar");
  const pulled = await millrace(`pull for-readers --output ${file}`, reader);
  expect(pulled).toMatchObject({ code: 0, stderr: "" });
  expect(pulled.stdout).toMatch(/^Wrote .*read\.tar with for-readers \(/);
  const denied = "use a token that is not read-only";
  for (const args of [
    "images delete --yes for-readers",
    "push for-readers --tag other",
    `push --input ${file}`,
  ]) {
    const { code, stderr } = await millrace(args, reader);
    expect([args, code === 0, stderr.includes(denied)], stderr).toEqual([args, false, true]);
  }
  expect(await digestAt(near, "default/web", "for-readers")).toBe(digest);
  expect(await digestAt(near, "default/web", "other")).toBeNull();
});

test("3. a connection that breaks", { timeout: 60_000 }, async () => {
  const layer = await putBlob(near, "default/web", Buffer.alloc(9_000_000, 8));
  const config = await putBlob(near, "default/web", Buffer.from("{}"));
  await putManifest(near, "default/web", "large-one", {
    mediaType: IMAGE,
    config: { mediaType: "application/vnd.oci.image.config.v1+json", ...config },
    layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", ...layer }],
  });
  const file = join(home, "broken.tar");
  const proxy = await startCuttingProxy(Number(new URL(near.origin).port));
  const through = { MILLRACE_URL: `http://127.0.0.1:${proxy.port}` };
  proxy.cutAfter = 3_000_000;
  expect(await millrace(`pull large-one --output ${file}`, through)).toMatchObject({ code: 0, stderr: "" });
  expect(proxy.cuts).toBeGreaterThan(1);
  const listed = await collect("tar", ["-xOf", file, `blobs/${layer.digest.replace(":", "/")}`], {});
  expect(listed.stdout).toHaveLength(layer.size);
  rmSync(file);
  proxy.cutAfter = 100_000;
  const ended = await millrace(`pull large-one --output ${file}`, through);
  await proxy.goAway();
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  expect(ended.stderr).toMatch(/^millrace: .+: http:\S+ closed the connection. Try again\n$/);
  expect(readdirSync(home).filter((name) => name.startsWith("broken"))).toEqual([]);
});

test("4. what cannot be", { timeout: 60_000 }, async () => {
  const withoutDocker = await millrace("pull staging", { PATH: place.path });
  expect(withoutDocker).toMatchObject({ code: 1 });
  expect(withoutDocker.stderr).toBe(
    "millrace: there is no Docker on this machine: install it, or pass --output image.tar, which does not need Docker\n",
  );
  const nobody = `127.0.0.1:${await freePort()}`;
  const elsewhere = await millrace(`push staging --tag ${nobody}/acme/web:1`);
  expect(elsewhere.stderr).toBe(
    `millrace: connect ECONNREFUSED ${nobody}: nothing is listening at http://${nobody}. Start the registry there, or correct --tag\n`,
  );
  for (const [path, said] of [
    [home, `${home} is not a file: name one, as in --output image.tar`],
    ["/dev/null", "/dev/null is not a file: name one, as in --output image.tar"],
    [join(home, "no/x.tar"), `${join(home, "no/x.tar")} cannot be written (ENOENT): there is no such folder`],
  ])
    expect((await millrace(`pull staging --output ${path}`)).stderr).toBe(`millrace: ${said}\n`);
  for (const args of [
    "push",
    "push staging",
    "push staging --tag a/b@c",
    "pull",
    "push a --input b",
    "pull a --output b --tag c",
  ])
    expect([args, (await millrace(args)).code]).toEqual([args, 2]);
});

test("5. Docker's login", { timeout: 60_000 }, async () => {
  const bin = join(home, "bin");
  mkdirSync(bin);
  const folder = dockerFolder();
  const env = { PATH: `${bin}:${process.env["PATH"] ?? ""}`, DOCKER_CONFIG: folder };
  const config = () =>
    JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as Record<string, unknown>;
  const before = config();
  const plugin = join(folder, "cli-plugins", "docker-buildx");
  mkdirSync(join(folder, "cli-plugins"));
  writeFileSync(plugin, '#!/bin/sh\necho "own: $*"\n', { mode: 0o755 });
  const installed = [
    `Installed the credential helper for ${near.host}`,
    "Installed the Docker CLI plugin",
    "",
  ];
  for (const round of [1, 2])
    expect([round, await millrace("configure-docker", env)]).toMatchObject([
      round,
      { stderr: "", stdout: installed.join("\n") },
    ]);
  // Other commands, and a build for another builder, go to the plugin that was there.
  for (const words of ["buildx ls", "docker-cli-plugin-metadata", "buildx build --builder mine ."])
    expect((await collect(plugin, words.split(" "), { env: { ...environment(), ...env } })).stdout).toBe(
      `own: ${words}\n`,
    );
  // So does a build while the server is unreachable, with a message.
  const away = { ...environment(), ...env, MILLRACE_URL: "http://127.0.0.1:1" };
  expect(await collect(plugin, ["buildx", "build", "."], { env: away })).toMatchObject({
    code: 0,
    stdout: "own: buildx build .\n",
    stderr: expect.stringContaining("Docker builds on this machine instead"),
  });
  expect(config()).toEqual({ ...before, credHelpers: { [near.host]: "millrace" } });
  const helper = join(bin, "docker-credential-millrace");
  const ask = async (action: string, input: string, more = {}) =>
    collect(helper, [action], { env: { ...environment(), ...env, ...more }, input });
  for (const address of [near.host, `https://${near.host}`])
    expect(JSON.parse((await ask("get", address)).stdout)).toEqual({
      ServerURL: address,
      Username: "x-token",
      Secret: OWNER_TOKEN,
    });
  for (const address of ["ghcr.io", "", "x y"])
    expect(await ask("get", address)).toMatchObject({
      code: 1,
      stdout: "credentials not found in native keychain\n",
    });
  // A token in the environment is for its server alone.
  const elsewhere = JSON.stringify({
    ServerURL: far.host,
    Username: "x-token",
    Secret: "mr_user_of-the-other",
  });
  expect(await ask("store", elsewhere)).toMatchObject({ code: 0, stdout: "" });
  expect((await ask("get", far.host)).stdout).toContain("mr_user_of-the-other");
  expect((await ask("list", "")).stdout).toBe(`{"http://${far.host}":"x-token"}\n`);
  expect(await ask("store", elsewhere.replace("other", "third"))).toMatchObject({ code: 1 });
  expect(await ask("erase", far.host)).toMatchObject({ code: 0 });
  expect(await ask("get", far.host)).toMatchObject({ code: 1 });
  expect(await ask("erase", near.host)).toMatchObject({ code: 0 });
  expect((await ask("get", near.host)).code).toBe(0);
  const options = { env: { ...environment(), ...env }, input: OWNER_TOKEN };
  const args = ["login", near.host, "-u", "x-token", "--password-stdin"];
  const login = await collect("docker", args, options).catch(() => null);
  if (login) {
    expect(login.stdout + login.stderr).toContain("Login Succeeded");
    await collect("docker", ["logout", near.host], options);
    // Docker may not end the CLI's login.
    expect((await ask("get", near.host)).code).toBe(0);
  }
  expect(await millrace("configure-docker --uninstall", env)).toMatchObject({
    stdout: `Removed the credential helper for ${near.host}\nRemoved the Docker CLI plugin\n`,
  });
  expect(config()).toEqual(before);
  expect(readFileSync(plugin, "utf8")).toContain("own:");
  expect(readdirSync(join(folder, "cli-plugins"))).toEqual(["docker-buildx"]);
  expect(existsSync(helper)).toBe(false);
  expect((await millrace("configure-docker --uninstall", env)).code).toBe(0);
});

test("6. no token is printed", () => {
  expect(printed.length).toBeGreaterThan(40);
  expect(printed.join("\n")).not.toMatch(/mr_user_|eC10b2tlbj/);
});
