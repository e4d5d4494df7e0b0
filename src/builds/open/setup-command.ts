/** The command for an operator to prepare the server's machine, and the path of the buildx that the server hands out. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { showCommand } from "../setup/run-command.ts";

/** By Go's names of processors, which the addresses of buildx use as well. */
const GO_NAMES: Readonly<Record<string, string>> = { x64: "amd64" };

/** @param folder of layer caches and programs */
export const buildxFile = (folder: string): string =>
  join(
    process.env["MILLRACE_BUILDX_FOLDER"] ?? join(folder, "programs"),
    `buildx-linux-${GO_NAMES[process.arch] ?? process.arch}`,
  );

/** "" in an image, whose programs are fixed. A service's user cannot change the machine, so root runs the command. */
export function setupCommand(root: string, { DATA_DIR: dataDir }: { DATA_DIR: string }): string {
  if (!existsSync(join(root, "scripts/launch.mjs"))) return "";
  const args = ["npm", "start", "--", "setup-builders"];
  const folder = resolve(dataDir);
  if (process.env["npm_lifecycle_event"] !== "start")
    return `${showCommand({ args: ["cd", root] })} && ${showCommand({ args: ["sudo", `DATA_DIR=${folder}`, ...args] })}`;
  return showCommand({ args, ...(folder !== join(root, ".data") && { env: { DATA_DIR: folder } }) });
}
