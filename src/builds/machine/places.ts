/** Names and folders of builders, which identify what a killed server has left. */
import { createHash } from "node:crypto";
import { accessSync, constants, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const IDENTITY_LENGTH = 10;
const ID = /^[a-z0-9]+(?:[_-][a-z0-9]+)*$/i;
const MAX_ID_LENGTH = 64;
const PLATFORM = /^[a-z0-9]+\/[a-z0-9]+(?:\/[a-z0-9]+)?$/;

export interface Places {
  /** `millrace-3f9a1c20b7`: identifies this data folder on this machine. */
  name: string;
  /** Folder for what builders make anew at each start. */
  runFolder: string;
  /** Folder of the layer caches. */
  folder: string;
}

/** @param dataFolder must exist */
export function findPlaces(dataFolder: string): Places {
  const folder = realpathSync(dataFolder);
  const identity = createHash("sha256").update(folder).digest("hex").slice(0, IDENTITY_LENGTH);
  const name = `millrace-${identity}`;
  // Shorter than any data folder, because a socket's path has a limit; and empty after a reboot.
  return { name, runFolder: join(runRoot(), name), folder: join(folder, "builders") };
}

function runRoot(): string {
  try {
    accessSync("/run", constants.W_OK);
    return "/run";
  } catch {
    return process.env["XDG_RUNTIME_DIR"] ?? tmpdir();
  }
}

export interface BuilderNames {
  /** Key in the map of builders, and name of its control group. */
  key: string;
  /** Below the folder of all builders. */
  folder: string;
  /** Below the run folder: short. */
  run: string;
}

/** @throws Error for an invalid id or platform, which could be a path */
export function namesOf(projectId: string, platform: string): BuilderNames {
  checkProjectId(projectId);
  const system = folderOf(platform);
  const key = `${projectId}-${system}`;
  const run = createHash("sha256").update(key).digest("hex").slice(0, IDENTITY_LENGTH);
  return { key, folder: join(projectId, system), run };
}

export const isProjectId = (text: string): boolean => ID.test(text) && text.length <= MAX_ID_LENGTH;

/** @throws Error for anything else, which could be a path */
export function checkProjectId(projectId: string): void {
  if (!isProjectId(projectId))
    throw new Error(`${JSON.stringify(projectId.slice(0, MAX_ID_LENGTH))} is not a project id`);
}

/** `linux/arm/v7` is `linux-arm-v7`. */
function folderOf(platform: string): string {
  if (!PLATFORM.test(platform) || platform.length > MAX_ID_LENGTH)
    throw new Error(
      `${JSON.stringify(platform.slice(0, MAX_ID_LENGTH))} is not a platform such as linux/amd64`,
    );
  return platform.replaceAll("/", "-");
}

/** The platform of a folder's name; null for other names. */
export const platformOf = (folder: string): string | null =>
  /^[a-z0-9]+(?:-[a-z0-9]+){1,2}$/.test(folder) ? folder.replaceAll("-", "/") : null;
