import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import type { BuildFolders } from "./build-folders.ts";

/**
 * The server's code from a build. React reads the variable when it is loaded: without it pages are rendered
 * with development checks, which takes twice as long.
 * @param version a different one loads the code again.
 */
export async function loadServerBuild(folders: BuildFolders, version = ""): Promise<ServerBuild> {
  process.env["NODE_ENV"] = "production";
  const entry = pathToFileURL(join(folders.site, "server", "index.js")).href;
  return (await import(entry + version)) as ServerBuild;
}
