/**
 * The images that Dockerfiles of the pages begin with: the real reader of Dockerfiles for `#
 * syntax=docker/dockerfile:1`, and for every other name busybox with programs that stand in for package managers and
 * compilers. They leave the files that a Dockerfile copies later, and print the output on a page.
 */
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type BaseImage, writeBaseImage, writeImage } from "../builds/base-image.ts";
import { findFrontend } from "../registry/tools.ts";

const sh = (...lines: readonly string[]) => ["#!/bin/sh", "set -e", ...lines, ""].join("\n");

/** A script of `package.json` leaves a folder `dist`, unless the context has a script for it. */
const NPM = sh(
  'case "$1" in',
  "  ci | install) test -f package.json; mkdir -p node_modules; echo 'added 312 packages in 2s' ;;",
  '  run) if [ -f "$2.sh" ]; then exec sh "$2.sh"; fi',
  "    mkdir -p dist; echo '<p>Built</p>' > dist/index.html; echo \"> $2\" ;;",
  '  *) echo "npm $*" ;;',
  "esac",
);
const PIP = sh(
  "# The file of packages is what the step depends on.",
  'for each; do case "$each" in *.txt) test -f "$each" ;; esac; done',
  "echo 'Successfully installed blinker-1.9.0 flask-3.1.2 werkzeug-3.1.3'",
);
/** Writes a program to the path after `-o`. */
const GO = sh(
  'echo "go $*"',
  'while [ $# -gt 0 ]; do case "$1" in -o) mkdir -p "$(dirname "$2")"; cp /bin/busybox "$2"; shift ;; esac; shift; done',
);
/** Needs the step's agent, as ssh would. */
const GIT = sh(
  'case "$*" in',
  '  *clone*@*) test -S "$SSH_AUTH_SOCK" ;;',
  "esac",
  "for last; do :; done",
  'case "$1" in clone) mkdir -p "$last" 2>/dev/null || true; echo "Cloning into \'$last\'..." ;; esac',
);
/** Finds one package in any image. */
const SCAN = sh(
  'cat > "$BUILDKIT_SCAN_DESTINATION/sbom.spdx.json" <<END',
  '{"_type":"https://in-toto.io/Statement/v0.1","predicateType":"https://spdx.dev/Document","predicate":{"spdxVersion":"SPDX-2.3","SPDXID":"SPDXRef-DOCUMENT","name":"image","packages":[{"name":"openssl","SPDXID":"SPDXRef-openssl","versionInfo":"3.5.4-r0"}]}}',
  "END",
);
const quiet = (name: string) => sh(`echo "${name} $*"`);

const PROGRAMS: { [name: string]: string } = {
  npm: NPM,
  scan: SCAN,
  pip: PIP,
  go: GO,
  git: GIT,
  node: quiet("node"),
  python: quiet("python"),
  apk: quiet("apk"),
  "apt-get": quiet("apt-get"),
  "update-ca-certificates": quiet("update-ca-certificates"),
};

/** @returns images by their names at Docker Hub; "" for all others. null where they cannot be had, with a message */
export async function writeStandIns(folder: string): Promise<Map<string, BaseImage> | null> {
  const frontend = await findFrontend();
  const base = await writeBaseImage(join(folder, "base"), PROGRAMS);
  if (frontend === null || base === null) return null;
  const root = join(folder, "frontend", "root");
  await mkdir(root, { recursive: true });
  await copyFile(frontend, join(root, "dockerfile-frontend"));
  const reader = await writeImage(join(folder, "frontend"), root, {
    Entrypoint: ["/dockerfile-frontend"],
    // The capabilities that the image of BuildKit's releases declares.
    Labels: {
      "moby.buildkit.frontend.network.none": "true",
      "moby.buildkit.frontend.caps":
        "moby.buildkit.frontend.inputs,moby.buildkit.frontend.subrequests,moby.buildkit.frontend.contexts",
    },
  });
  const scanner = await writeImage(join(folder, "scanner"), join(folder, "base", "root"), {
    Env: ["PATH=/bin"],
    Entrypoint: ["/bin/scan"],
  });
  return new Map([
    ["docker/dockerfile", reader],
    ["docker/buildkit-syft-scanner", scanner],
    ["", base],
  ]);
}
