/**
 * A stand-in answers as described in Docker's API (Engine API 1.47): images, their pull, containers and their files.
 *
 * 1. `buildkitd` is copied from the image; the container is never started and is removed afterwards; a later start sends no
 *    requests.
 * 2. An image that the engine has is not pulled; tags, digests and registries with a port are requested correctly.
 * 3. A pull that fails midway, an image without the program and an engine that refuses leave nothing, and the error says why.
 * 4. Docker is used last, only through a socket of this machine, and without Docker the error says what to do.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findBuildkitd } from "./find-buildkitd.ts";
import { splitReference } from "./docker-engine.ts";

const IMAGE = "moby/buildkit:v0.33.0";
const ID = "4f1c".repeat(16);
const makeFolder = () => mkdtempSync(join(tmpdir(), "docker-engine-"));

function makeArchive(name: string): Buffer {
  const folder = makeFolder();
  writeFileSync(join(folder, name), "#!/bin/sh\necho buildkitd\n");
  chmodSync(join(folder, name), 0o755);
  execFileSync("tar", ["-cf", join(folder, "a.tar"), "-C", folder, name]);
  return readFileSync(join(folder, "a.tar"));
}

interface EngineOptions {
  has?: boolean;
  progress?: string;
  archive?: Buffer;
  createStatus?: number;
}

async function startEngine(options: EngineOptions = {}) {
  const { has = false, progress = '{"status":"Pulling"}\r\n{"status":"Done"}\r\n' } = options;
  const { archive = makeArchive("buildkitd"), createStatus = 201 } = options;
  const asked: string[] = [];
  const say = (response: ServerResponse, status: number, body: object | string | Buffer) =>
    response
      .writeHead(status)
      .end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  const answer = ({ method, url = "" }: IncomingMessage, response: ServerResponse) => {
    asked.push(`${method} ${url.split("?")[0]}${url.includes("fromImage") ? ` ${url.split("?")[1]}` : ""}`);
    if (url.startsWith("/images/create")) return say(response, 200, progress);
    if (url.startsWith("/images/"))
      return has ? say(response, 200, { Id: "sha256:1" }) : say(response, 404, { message: "No such image" });
    if (url === "/containers/create") return say(response, createStatus, { Id: ID, message: "no space" });
    if (url.includes("/archive")) return say(response, 200, archive);
    return say(response, 204, "");
  };
  const server = createServer(answer);
  const socket = join(makeFolder(), "docker.sock");
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  return { host: `unix://${socket}`, asked };
}

const find = (folder: string, host: string, image = IMAGE) =>
  findBuildkitd({ env: {}, folder, docker: { image, host } });

test("1. out of the image", async () => {
  const { host, asked } = await startEngine();
  const folder = makeFolder();
  const program = await find(folder, host);
  expect(execFileSync(program, { encoding: "utf8" })).toBe("buildkitd\n");
  const once = [
    `GET /images/${IMAGE}/json`,
    "POST /images/create fromImage=moby%2Fbuildkit&tag=v0.33.0",
    "POST /containers/create",
    `GET /containers/${ID}/archive`,
    `DELETE /containers/${ID}`,
  ];
  expect(asked).toEqual(once);
  expect(await find(folder, host)).toBe(program);
  expect(asked).toEqual(once);
});

test("2. an image that is there", async () => {
  const { host, asked } = await startEngine({ has: true });
  await find(makeFolder(), host);
  expect(asked.filter((each) => each.startsWith("POST"))).toEqual(["POST /containers/create"]);
});

test.each([
  ["moby/buildkit", ["moby/buildkit", "latest"]],
  ["registry.example.com:5000/buildkit", ["registry.example.com:5000/buildkit", "latest"]],
  ["registry.example.com:5000/buildkit:v0.33.0", ["registry.example.com:5000/buildkit", "v0.33.0"]],
  ["moby/buildkit:v0.33.0@sha256:12", ["moby/buildkit", "sha256:12"]],
])("2. %s", (image, parts) => {
  expect(splitReference(image)).toEqual(parts);
});

test.each<[string, EngineOptions, RegExp]>([
  ["a pull that fails", { progress: '{"status":"a"}\n{"error":"toomanyrequests"}\n' }, /toomanyrequests/],
  ["no program", { archive: makeArchive("other") }, /has no \/usr\/bin\/buildkitd/],
  ["a refusal", { createStatus: 500 }, /the engine responded with status 500: no space/],
])("3. %s", async (_, options, message) => {
  const { host, asked } = await startEngine(options);
  const folder = makeFolder();
  await expect(find(folder, host)).rejects.toThrow(message);
  await expect(find(folder, host)).rejects.toThrow(IMAGE);
  expect(readdirSync(folder)).toEqual([]);
  const made = asked.filter((each) => each.startsWith("GET /containers/")).length;
  expect(asked.filter((each) => each.startsWith("DELETE")).length).toBe(made);
});

test("4. last, and only here", async () => {
  const { host, asked } = await startEngine();
  const path = makeFolder();
  writeFileSync(join(path, "buildkitd"), "#!/bin/sh\n");
  chmodSync(join(path, "buildkitd"), 0o755);
  const docker = { image: IMAGE, host };
  expect(await findBuildkitd({ env: { PATH: path }, folder: makeFolder(), docker })).toBe(
    join(path, "buildkitd"),
  );
  expect(asked).toEqual([]);
  for (const elsewhere of ["tcp://192.0.2.1:2375", `unix://${makeFolder()}/none.sock`])
    await expect(find(makeFolder(), elsewhere)).rejects.toThrow(/no Docker engine on this machine/);
});
