/**
 * The order of the folders inside a room, for rooms that state one (`layers` of `import-rules.ts`):
 *
 *   root files ─► tools ─► http ─► … ─► contract      an import may skip layers; none leads upward
 */
import type { ImportGraph } from "../imports/import-graph.ts";
import type { ImportRule } from "./import-rule.ts";
import { ruleOf } from "./import-rules.ts";

const RULES = "scripts/checks/import-rules.ts";
const ROOT = "";

/**
 * @param graph without the tests
 * @returns one message for each import from a lower folder into a higher one, each folder that `layers` does not name, and each
 * name in `layers` that is not a folder.
 */
export function findUpward(graph: ImportGraph, rules: readonly ImportRule[]): string[] {
  return rules.flatMap(({ room, layers }) => {
    if (!layers) return [];
    const order = [ROOT, ...layers];
    const layerOf = layersOfRoom(room);
    const inside = [...graph].flatMap(([file, imports]) => {
      const layer = layerOf(file);
      return layer === null ? [] : [{ file, imports, layer }];
    });
    const folders = new Set(inside.map(({ layer }) => layer));
    const upward = inside.flatMap(({ file, imports, layer }) =>
      imports.flatMap(({ target, specifier, line }) => {
        const above = target === null ? null : layerOf(target);
        if (above === null || !order.includes(above) || order.indexOf(above) >= order.indexOf(layer))
          return [];
        return [`${file}:${line} imports "${specifier}": ${describeUpward(room, layer, above)}`];
      }),
    );
    return [
      ...upward,
      ...[...folders]
        .filter((folder) => !order.includes(folder))
        .map((folder) => `src/${room}/${folder} has no place in the order: add it to "layers" in ${RULES}.`),
      ...layers
        .filter((folder) => !folders.has(folder))
        .map((folder) => `src/${room}/${folder} has no code: remove it from "layers" in ${RULES}.`),
    ];
  });
}

/** The first folder within the room; `ROOT` for a file next to the folders, null for a file of another room. */
function layersOfRoom(room: string): (file: string) => string | null {
  const start = `src/${room}/`;
  return (file) => {
    if (!file.startsWith(start) || ruleOf(file)?.room !== room) return null;
    const [folder = "", ...rest] = file.slice(start.length).split("/");
    return rest.length > 0 ? folder : ROOT;
  };
}

function describeUpward(room: string, layer: string, above: string): string {
  const broken =
    above === ROOT
      ? "files next to the folders are above all folders"
      : `${above} is above ${layer} in src/${room}/README.md`;
  return `${broken}. Move what both need into a folder below both, or pass it as an argument.`;
}

/** @returns a message when the table in the room's README does not have the folders in their order. */
export function checkLayerTable(room: string, layers: readonly string[], readme: string): string[] {
  const rows = [...readme.matchAll(/^\| `([\w.-]+)\/` /gm)].map(([, folder]) => folder);
  return rows.join() === layers.join()
    ? []
    : [
        `src/${room}/README.md needs a table with one row for each folder, in this order: ` +
          `${layers.map((folder) => `\`${folder}/\``).join(", ")}. It has: ${rows.join(", ") || "none"}.`,
      ];
}
