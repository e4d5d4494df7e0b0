// Finds the Node.js that runs the project: the machine's own if it is new enough, and then nothing is fetched; else the one whose
// checksum is in `runtime/<platform>-<architecture>/package-lock.json`.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages, UserError } from "./packages.mjs";

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The first major that runs TypeScript without a build. */
const wantedMajor = 24;

/** @throws UserError when this Node.js is too old even for this file. */
export function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    throw new UserError(
      `Node.js ${process.versions.node} is too old: install Node.js 20.19 or newer and run the command again.`,
    );
}

/**
 * The path of the Node.js that runs the project, installed below `runtime/` when the machine has none.
 * @throws UserError when it cannot be installed or does not run on this machine.
 */
export function findNode() {
  // It may have been installed with the packages of an older version of the project and removed with them just now.
  const isThere = existsSync(process.execPath);
  if (isThere && Number(process.versions.node.split(".")[0]) >= wantedMajor) return process.execPath;
  const machine = `${process.platform}-${process.arch}`;
  const folder = join(root, "runtime", machine);
  if (!existsSync(folder))
    throw new UserError(
      `The project needs Node.js ${wantedMajor}, this is ${process.versions.node}, and the project cannot install one for ${machine}: install Node.js ${wantedMajor} or newer and run the command again.`,
    );
  installPackages(folder, "node");
  const [name] = Object.keys(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).dependencies);
  const node = join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  // Systems with another C library, such as Alpine Linux, cannot run it; nor can any system if the disk was full.
  if (spawnSync(node, ["--version"], { stdio: "ignore" }).status !== 0) {
    rmSync(join(folder, "node_modules"), { recursive: true, force: true });
    throw new UserError(
      `The Node.js that was installed at ${node} does not run on this machine, so it was removed: install Node.js ${wantedMajor} or newer, or free some space if the disk is full, and run the command again.`,
    );
  }
  return node;
}
