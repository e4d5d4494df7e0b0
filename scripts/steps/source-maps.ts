import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { decodedMappings, type EncodedSourceMap, encodedMappings, TraceMap } from "@jridgewell/trace-mapping";
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
    const map = JSON.parse(await readFile(join(client, file), "utf8")) as EncodedSourceMap;
    const mappings = withoutPaths(map);
    await writeFile(
      join(maps, `${debugId}.json`),
      JSON.stringify({ ...map, mappings, debugId, debug_id: debugId }),
    );
    await rm(join(client, file));
  }
}

/**
 * Modules that are only the address of a style sheet (`?url`) have, while they are bundled, the path of the file on this
 * machine in them, and its length shows in their columns. Without it the same sources give the same bytes.
 */
function withoutPaths(map: EncodedSourceMap): string {
  const decoded = decodedMappings(new TraceMap(map));
  const isAddress = map.sources.map((source) => source?.endsWith("?url") ?? false);
  for (const line of decoded)
    for (const segment of line) if (segment.length > 1 && isAddress[segment[1]!]) segment[3] = 0;
  return encodedMappings(new TraceMap({ ...map, mappings: decoded }));
}
