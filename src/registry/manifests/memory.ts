/**
 * Requested manifests, with their bytes. A deployment asks for the same few thousands of times.
 *
 *   SQLite       this process makes all changes and reports them: what is remembered is true
 *   PostgreSQL   other processes also change it: tags are queried each time, manifests by digest are known for `REMEMBERED_MS`
 */
import type { DatabaseKind } from "#platform/database/columns.ts";
import { MAX_REMEMBERED_MANIFEST_BYTES, MAX_REMEMBERED_TAGS, REMEMBERED_MS } from "../contract/limits.ts";
import type { Manifest } from "../contract/registry.ts";

export interface ManifestMemory {
  /** @param reference a tag or a digest */
  find(repositoryId: string, reference: string): Manifest | undefined;
  /** Call it before the database is queried. The result is remembered only if nothing was forgotten meanwhile. */
  begin(): (repositoryId: string, reference: string, manifest: Manifest) => void;
  /** Call it after a change is committed, and before anyone is notified of it. @param references undefined: all */
  forget(repositoryId: string, references?: readonly string[]): void;
}

interface RepositoryMemory {
  /** Tag → digest. */
  tags: Map<string, string>;
  manifests: Map<string, { manifest: Manifest; readAt: number }>;
}

/** Memory of a manifest in addition to its bytes. */
const ENTRY_BYTES = 1_000;
const bytesOf = ({ bytes }: Manifest) => bytes.length + ENTRY_BYTES;

export function createManifestMemory(kind: DatabaseKind, clock: () => number): ManifestMemory {
  const isAlone = kind === "sqlite";
  const repositories = new Map<string, RepositoryMemory>();
  let generation = 0;
  let bytes = 0;
  let tags = 0;

  function forgetOne(known: RepositoryMemory, reference: string): void {
    if (known.tags.delete(reference)) tags -= 1;
    const entry = known.manifests.get(reference);
    if (!entry) return;
    known.manifests.delete(reference);
    bytes -= bytesOf(entry.manifest);
  }

  function forgetAll(repositoryId: string): void {
    const known = repositories.get(repositoryId);
    if (!known) return;
    repositories.delete(repositoryId);
    tags -= known.tags.size;
    for (const { manifest } of known.manifests.values()) bytes -= bytesOf(manifest);
  }

  function remember(repositoryId: string, reference: string, manifest: Manifest): void {
    const known = repositories.get(repositoryId) ?? { tags: new Map(), manifests: new Map() };
    repositories.set(repositoryId, known);
    forgetOne(known, manifest.digest);
    known.manifests.set(manifest.digest, { manifest, readAt: clock() });
    bytes += bytesOf(manifest);
    if (isAlone && reference !== manifest.digest) {
      forgetOne(known, reference);
      known.tags.set(reference, manifest.digest);
      tags += 1;
    }
    // A Map iterates in insertion order.
    while (bytes > MAX_REMEMBERED_MANIFEST_BYTES || tags > MAX_REMEMBERED_TAGS)
      forgetAll(repositories.keys().next().value!);
  }

  return {
    find(repositoryId, reference) {
      const known = repositories.get(repositoryId);
      const entry = known?.manifests.get(known.tags.get(reference) ?? reference);
      return entry && (isAlone || Math.abs(clock() - entry.readAt) < REMEMBERED_MS)
        ? entry.manifest
        : undefined;
    },
    begin() {
      const begun = generation;
      return (repositoryId, reference, manifest) => {
        if (begun === generation) remember(repositoryId, reference, manifest);
      };
    },
    forget(repositoryId, references) {
      generation += 1;
      const known = repositories.get(repositoryId);
      if (!references) forgetAll(repositoryId);
      else if (known) for (const reference of references) forgetOne(known, reference);
    },
  };
}
