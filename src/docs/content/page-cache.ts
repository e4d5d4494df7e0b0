/** Compiled pages on disk, by a hash of all their sources. */
import { createHash } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeWhole } from "#platform/files/durable.ts";
import type { CompiledPage } from "./page/compile-page.ts";

export function hash(...parts: string[]): string {
  const sha = createHash("sha256");
  for (const part of parts) sha.update(`${part.length}:${part}`);
  return sha.digest("hex").slice(0, 32);
}

/** Hash of the names and sizes of the site's images, because pages contain their dimensions. */
export async function imagesHash(root: string): Promise<string> {
  const folder = join(root, "public/images");
  const names = (await readdir(folder, { recursive: true }).catch(() => [])).sort();
  const sizes = await Promise.all(
    names.map(async (name) => `${name}:${(await stat(join(folder, name))).size}`),
  );
  return hash(...sizes);
}

/** Never fails: a folder that cannot be written only makes the next build slower. */
export class PageCache {
  readonly #folder: string;
  readonly #used = new Set<string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(key: string): Promise<CompiledPage | undefined> {
    this.#used.add(`${key}.json`);
    try {
      // Written by `write`, under a key that includes the hash of this code.
      return JSON.parse(await readFile(join(this.#folder, `${key}.json`), "utf8")) as CompiledPage;
    } catch {
      return undefined;
    }
  }

  /** Other processes see the whole file or none. */
  async write(key: string, compiled: CompiledPage): Promise<void> {
    // Without a folder, nothing is stored.
    if (this.#folder === "") return;
    await writeWhole(join(this.#folder, `${key}.json`), JSON.stringify(compiled)).catch(() => undefined);
  }

  /** Removes pages that the last build did not use. */
  async prune(): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    const old = names.filter((name) => name.endsWith(".json") && !this.#used.has(name));
    await Promise.all(
      old.map((name) => rm(join(this.#folder, name), { force: true }).catch(() => undefined)),
    );
  }
}
