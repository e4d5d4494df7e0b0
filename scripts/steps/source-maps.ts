import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { decodedMappings, type EncodedSourceMap, encodedMappings, TraceMap } from "@jridgewell/trace-mapping";
import { debugIdOf } from "#telemetry/browser/debug-id.ts";

/**
 * Moves the source maps from the folder that is served to readers to `maps/<debug id>.json`, where error reports find them. Each
 * names its debug id (ECMA-426), so that it can be uploaded to Sentry unchanged.
 */
export async function moveSourceMaps(client: string, maps: string): Promise<void> {
  await mkdir(maps, { recursive: true });
  const files = await readdir(client, { recursive: true });
  for (const file of files.filter((name) => name.endsWith(".map"))) {
    const debugId = debugIdOf(basename(file, ".map"));
    const map = JSON.parse(await readFile(join(client, file), "utf8")) as EncodedSourceMap;
    const named = { ...withoutPaths(map), debugId, debug_id: debugId };
    await writeFile(join(maps, `${debugId}.json`), JSON.stringify(named));
    await rm(join(client, file));
  }
}

/**
 * The code of a module that is only a style sheet's address (`?url`) contains the file's path on this machine, which affects its
 * columns. Errors never point there; without it, the same sources give the same bytes in any folder.
 */
function withoutPaths(map: EncodedSourceMap): EncodedSourceMap {
  const isAddress = map.sources.map((source) => source?.endsWith("?url") ?? false);
  const decoded = decodedMappings(new TraceMap(map));
  for (const line of decoded)
    for (const segment of line) if (segment.length > 1 && isAddress[segment[1]!]) segment[3] = 0;
  const mappings = encodedMappings(new TraceMap({ ...map, mappings: decoded }));
  const sourcesContent = (map.sourcesContent ?? []).map((text, at) => (isAddress[at] ? null : text));
  return { ...map, mappings, sourcesContent };
}
