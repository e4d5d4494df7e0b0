/**
 * Takes `buildkitd` from BuildKit's image with a Docker engine of this machine: the engine pulls the image and checks its digests;
 * a container is created from it, never started, and the file is copied. So builders on a machine with Docker are like all others,
 * and no part of a build runs in the engine (decision 037).
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rename, rm, stat } from "node:fs/promises";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { z } from "zod";
import { takeAtMost } from "./download-buildkitd.ts";
import { isKeptProgram, isProgram } from "./programs.ts";

const run = promisify(execFile);
const PROGRAM = "/usr/bin/buildkitd";
const DEFAULT_SOCKET = "/var/run/docker.sock";
/** Size of the engine's responses that are read whole: the progress of a pull is the longest. */
const MAX_ANSWER_BYTES = 8 * 1024 ** 2;
const MAX_PROGRAM_BYTES = 256 * 1024 ** 2;
/** For an image of about 100 MB. */
const ENGINE_MS = 10 * 60 * 1000;
const UNPACK_MS = 2 * 60 * 1000;
const SHOWN_DIGITS = 16;
const SHOWN_CHARACTERS = 200;

const told = z.object({ error: z.string().optional(), message: z.string().optional() });
const container = z.object({ Id: z.string().regex(/^[0-9a-f]{12,64}$/) });

export interface DockerSource {
  /** `moby/buildkit:v0.33.0`, preferably with `@sha256:` and its digest. */
  image: string;
  /** The server's `DOCKER_HOST`; only an engine of this machine is used. */
  host?: string | undefined;
}

/** @returns the engine's socket; null if there is none */
export async function findEngine(host?: string): Promise<string | null> {
  const path = host?.startsWith("unix://") ? host.slice("unix://".length) : host ? null : DEFAULT_SOCKET;
  if (path === null) return null;
  return (await stat(path).catch(() => null))?.isSocket() ? path : null;
}

/** @returns the path of `buildkitd`; the engine is used only once per image. @throws Error that says what failed */
export async function takeFromEngine(socket: string, image: string, folder: string): Promise<string> {
  const name = createHash("sha256").update(image).digest("hex").slice(0, SHOWN_DIGITS);
  const place = join(folder, `image-${name}`);
  const program = join(place, "buildkitd");
  if (await isKeptProgram(program)) return program;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = await mkdtemp(join(folder, "download-"));
  try {
    await pull(socket, image);
    const archive = join(temporary, "archive.tar");
    await copyOut(socket, image, archive);
    const unpacked = join(temporary, "unpacked");
    await mkdir(unpacked);
    await run("tar", ["--extract", "--no-same-owner", "--file", archive, "--directory", unpacked], {
      timeout: UNPACK_MS,
    });
    if (!(await isProgram(join(unpacked, "buildkitd")))) throw new Error(`the image has no ${PROGRAM}`);
    // Another process may have been faster, with the same image.
    await rename(unpacked, place).catch(async (error: unknown) => {
      if (!(await isProgram(program))) throw error;
    });
    return program;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Could not get BuildKit from the image ${image} through Docker at ${socket}: ${reason}`, {
      cause: error,
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function pull(socket: string, image: string): Promise<void> {
  const found = await ask(socket, "GET", `/images/${image}/json`);
  if (found.statusCode === 200) return void found.resume();
  await refuse(found, [404]);
  const [name, version] = splitReference(image);
  const query = new URLSearchParams({ fromImage: name, tag: version });
  const progress = await read(await refuse(await ask(socket, "POST", `/images/create?${query}`)));
  // A pull that fails midway has already answered 200.
  for (const line of progress.split("\n").filter((each) => each.trim() !== "")) {
    const { error } = told.parse(JSON.parse(line));
    if (error !== undefined) throw new Error(error);
  }
}

/** @returns name and tag; a digest is returned as the tag */
export function splitReference(image: string): [name: string, version: string] {
  const [beforeDigest = "", digest] = image.split("@");
  const colon = beforeDigest.indexOf(":", beforeDigest.lastIndexOf("/") + 1);
  const name = colon < 0 ? beforeDigest : beforeDigest.slice(0, colon);
  return [name, digest ?? (colon < 0 ? "latest" : beforeDigest.slice(colon + 1))];
}

async function copyOut(socket: string, image: string, to: string): Promise<void> {
  const body = { Image: image, Cmd: ["--version"], Labels: { "dev.millrace": "copies buildkitd" } };
  const made = await read(await refuse(await ask(socket, "POST", "/containers/create", body)));
  const { Id: id } = container.parse(JSON.parse(made));
  try {
    const path = `/containers/${id}/archive?path=${encodeURIComponent(PROGRAM)}`;
    const answer = await refuse(await ask(socket, "GET", path));
    await pipeline(answer, takeAtMost(MAX_PROGRAM_BYTES), createWriteStream(to));
  } finally {
    const removed = await ask(socket, "DELETE", `/containers/${id}?force=true`).catch(() => null);
    removed?.resume();
  }
}

function ask(socketPath: string, method: string, path: string, body?: object): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { host: "docker", ...(body && { "content-type": "application/json" }) };
    const signal = AbortSignal.timeout(ENGINE_MS);
    const asked = request({ socketPath, method, path, headers, signal }, resolve);
    asked.once("error", (error: NodeJS.ErrnoException) =>
      reject(error.code === "EACCES" ? new Error(NOT_ALLOWED, { cause: error }) : error),
    );
    asked.end(body && JSON.stringify(body));
  });
}

const NOT_ALLOWED =
  "this server's user is not allowed to use the engine. Add the user to the group docker, or set BUILDKITD to the path of buildkitd";

async function refuse(answer: IncomingMessage, allowed: readonly number[] = []): Promise<IncomingMessage> {
  const { statusCode = 0 } = answer;
  if (statusCode < 300) return answer;
  const said = await read(answer);
  if (allowed.includes(statusCode)) return answer;
  throw new Error(`the engine responded with status ${statusCode}: ${messageOf(said)}`);
}

function messageOf(said: string): string {
  try {
    return told.parse(JSON.parse(said)).message ?? said.slice(0, SHOWN_CHARACTERS);
  } catch {
    return said.slice(0, SHOWN_CHARACTERS);
  }
}

const read = (answer: IncomingMessage) => text(answer.compose(takeAtMost(MAX_ANSWER_BYTES)));
