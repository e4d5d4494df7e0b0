/** The images of `deploy/Dockerfile`, with programs of this machine in place of those from Docker Hub and npm. */
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { buildFolders, root } from "#server/pages/build-folders.ts";
import { build } from "../../scripts/steps/build.ts";
import { BUILD_DIR } from "../attack/server-process.ts";
import { writeBaseImage } from "../clients/builds/base-image.ts";
import { OWNER_TOKEN } from "../clients/builds/build-server.ts";
import { buildCli } from "../clients/cli-process.ts";
import { copyImage } from "../deploy/dockerfile.ts";
import type { Engine } from "./container-engine.ts";

interface Tools {
  /** Folder of `buildkitd`. */
  programs: string;
  buildx: string;
}

/** @param tools of this machine. @returns the digest of the base image, which is in the folder `base` */
export async function prepareFolders({ share }: Engine, { programs, buildx }: Tools): Promise<string> {
  await build({ folders: buildFolders(BUILD_DIR) });
  // The output of the stages `build` and `packages`.
  copyImage(join(share, "made/opt/millrace"), BUILD_DIR);
  mkdirSync(join(share, "buildkit/usr/bin"), { recursive: true });
  mkdirSync(join(share, "buildx"));
  cpSync(join(programs, "buildkitd"), join(share, "buildkit/usr/bin/buildkitd"));
  cpSync(buildx, join(share, "buildx/buildx"));
  cpSync(join(root, "deploy"), join(share, "repository/deploy"), { recursive: true });
  writeFileSync(
    join(share, "owner.yaml"),
    JSON.stringify({ services: { server: { environment: { MILLRACE_OWNER_TOKEN: OWNER_TOKEN } } } }),
  );
  await buildCli(join(share, "cli"));
  const made = await writeBaseImage(join(share, "base"));
  return made?.digest ?? "";
}

export async function buildImage(engine: Engine, target: string, tag: string): Promise<void> {
  const given = {
    build: "made",
    packages: "made",
    buildkit: "buildkit",
    "buildx-amd64": "buildx",
    "buildx-arm64": "buildx",
  };
  const contexts = Object.entries(given).flatMap(([stage, folder]) => [
    "--build-context",
    `${stage}=${engine.inside}/${folder}`,
  ]);
  const folder = `${engine.inside}/repository`;
  const { code, output } = await engine.run(
    [
      "docker",
      "buildx",
      "build",
      "--file",
      `${folder}/deploy/Dockerfile`,
      "--target",
      target,
      "--tag",
      tag,
    ].concat(contexts, "--load", folder),
  );
  expect(code, output).toBe(0);
}
