import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { debugIdOf } from "../../src/telemetry/browser/debug-id.ts";

/**
 * Takes the source maps out of the folder that readers are served from, into `maps/<debug id>.json`, where error reports
 * find them. Each names its debug id (ECMA-426), so that it can be uploaded to Sentry as it is.
 */
export async function moveSourceMaps(client: string, maps: string): Promise<void> {
  await mkdir(maps, { recursive: true });
  const files = await readdir(client, { recursive: true });
  for (const file of files.filter((name) => name.endsWith(".map"))) {
    const debugId = debugIdOf(basename(file, ".map"));
    const map = JSON.parse(await readFile(join(client, file), "utf8")) as object;
    await writeFile(join(maps, `${debugId}.json`), JSON.stringify({ ...map, debugId, debug_id: debugId }));
    await rm(join(client, file));
  }
}
