/**
 * A folder that only this user can read and that is removed when the command ends: Docker's configuration with the login of this
 * server, and for each build the certificates and the configuration of buildx.
 *
 *   docker/config.json   the user's, with this server's registry; everything else is linked to Docker's folder
 *   bld_…/buildx/        BUILDX_CONFIG with one builder
 *   bld_…/amd64-*.pem    certificates
 */
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { findCredentialsFile } from "../credentials.ts";
import { findDockerFolder, isFields, readDockerConfig } from "../registry/docker-config.ts";

const NODE_ID = ".buildNodeID";

export interface PrivateFolder extends AsyncDisposable {
  path: string;
  /** `DOCKER_CONFIG` */
  docker: string;
  /** @returns a new `BUILDX_CONFIG` and the folder that it is in */
  makeBuildFolder: (buildId: string) => Promise<{ path: string; buildx: string }>;
}

export async function makePrivateFolder(
  env: NodeJS.ProcessEnv,
  registry: { host: string; token: string },
): Promise<PrivateFolder> {
  const path = await mkdtemp(join(tmpdir(), "millrace-build-"));
  const removeNow = () => rmSync(path, { recursive: true, force: true });
  // Also if the process ends abnormally.
  process.once("exit", removeNow);
  const docker = join(path, "docker");
  await copyDockerConfig(findDockerFolder(env), docker, registry);
  const nodeId = await findNodeId(env);
  return {
    path,
    docker,
    async makeBuildFolder(buildId) {
      const folder = join(path, buildId);
      const buildx = join(folder, "buildx");
      await mkdir(buildx, { recursive: true, mode: 0o700 });
      await writeFile(join(buildx, NODE_ID), nodeId, { mode: 0o600 });
      return { path: folder, buildx };
    },
    async [Symbol.asyncDispose]() {
      process.off("exit", removeNow);
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function copyDockerConfig(
  from: string,
  to: string,
  { host, token }: { host: string; token: string },
): Promise<void> {
  const config = await readDockerConfig(from);
  const { auths, credHelpers } = config;
  const auth = Buffer.from(`x-token:${token}`).toString("base64");
  config["auths"] = { ...(isFields(auths) ? auths : {}), [host]: { auth } };
  // An empty name means this file, even if a `credsStore` is set.
  config["credHelpers"] = { ...(isFields(credHelpers) ? credHelpers : {}), [host]: "" };
  await mkdir(to, { mode: 0o700 });
  await writeFile(join(to, "config.json"), JSON.stringify(config), { mode: 0o600 });
  const others = (await readdir(from, { withFileTypes: true }).catch(() => [])).filter(
    ({ name }) => name !== "config.json" && name !== "buildx",
  );
  await Promise.all(
    others.map((entry) =>
      // Windows may forbid links: then only contexts are missing.
      symlink(join(from, entry.name), join(to, entry.name), entry.isDirectory() ? "junction" : "file").catch(
        () => {},
      ),
    ),
  );
}

/** Lets a builder recognize earlier uploads of this machine: with a new id, the whole context is sent again. */
async function findNodeId(env: NodeJS.ProcessEnv): Promise<string> {
  const ofBuildx = join(env["BUILDX_CONFIG"] || join(findDockerFolder(env), "buildx"), NODE_ID);
  const own = join(dirname(findCredentialsFile(env).path), "build-node");
  const read = (path: string) =>
    readFile(path, "utf8").then(
      (text) => (/^[\w-]{8,64}\s*$/.test(text) ? text.trim() : undefined),
      () => undefined,
    );
  const known = (await read(ofBuildx)) ?? (await read(own));
  if (known !== undefined) return known;
  const made = randomBytes(8).toString("hex");
  await mkdir(dirname(own), { recursive: true, mode: 0o700 })
    .then(() => writeFile(own, made, { mode: 0o600, flag: "wx" }))
    .catch(() => {});
  // If two commands run at the same time, the first one's id counts.
  return (await read(own)) ?? made;
}
