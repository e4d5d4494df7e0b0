import { DatabaseSync } from "node:sqlite";
import { Catalog } from "./catalog.ts";

/** Its name in the folder of the indexes. */
export const CATALOG_FILE = "catalog.sqlite";
export const PAYLOAD_FOLDER = "payloads";

/**
 * Files that a copy of a catalog also needs: index files and the bodies of waiting tasks, relative to its
 * folder, with `/`. An unusable index is left out, because its file may be anywhere.
 */
export function filesNamedBy(catalogFile: string): string[] {
  const catalog = new Catalog(new DatabaseSync(catalogFile, { readOnly: true }));
  try {
    const indexes = catalog.indexes().filter(({ problem }) => problem === null);
    const payloads = catalog.waiting().flatMap(({ payload }) => payload.file ?? []);
    return [...indexes.map(({ file }) => file), ...payloads.map((file) => `${PAYLOAD_FOLDER}/${file}`)];
  } finally {
    catalog.close();
  }
}
