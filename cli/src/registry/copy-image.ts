/** Copies an image with all its platforms, byte for byte: blobs first, then inner manifests, then outer ones, its name last. */
import { CliError } from "../errors.ts";
import { BLOBS_AT_ONCE, MAX_DEPTH } from "./limits.ts";
import { type Descriptor, type Manifest, readReferences } from "./manifest.ts";

/** The source of an image: a registry's repository, or an archive. */
export interface ImageSource {
  /** @param reference a tag or a digest. @throws CliError */
  readManifest(reference: string): Promise<Manifest>;
  /** Its bytes from `offset` on; not verified. */
  openBlob(blob: Descriptor, offset: number): AsyncIterable<Uint8Array>;
}

export interface ImageTarget {
  hasManifest(digest: string): Promise<boolean>;
  /** Does nothing if the blob exists. */
  putBlob(blob: Descriptor, open: (offset: number) => AsyncIterable<Uint8Array>): Promise<void>;
  /** @param tag undefined to name it by its digest */
  putManifest(manifest: Manifest, tag: string | undefined): Promise<void>;
}

export async function copyImage(
  source: ImageSource,
  target: ImageTarget,
  { manifest, tags }: { manifest: Manifest; tags: readonly (string | undefined)[] },
): Promise<void> {
  await copyParts(source, target, manifest, 0);
  for (const tag of tags) await target.putManifest(manifest, tag);
}

async function copyParts(
  source: ImageSource,
  target: ImageTarget,
  manifest: Manifest,
  depth: number,
): Promise<void> {
  if (depth > MAX_DEPTH)
    throw new CliError(`${manifest.digest} has more than ${MAX_DEPTH} levels of nested indexes`);
  // A registry accepts a manifest only if all its parts exist.
  if (await target.hasManifest(manifest.digest)) return;
  const { manifests, blobs } = readReferences(manifest);
  await forEachAtOnce(unique(blobs), (blob) =>
    target.putBlob(blob, (offset) => source.openBlob(blob, offset)),
  );
  for (const { digest } of unique(manifests)) {
    const child = await source.readManifest(digest);
    await copyParts(source, target, child, depth + 1);
    await target.putManifest(child, undefined);
  }
}

const unique = (descriptors: readonly Descriptor[]): Descriptor[] => [
  ...new Map(descriptors.map((descriptor) => [descriptor.digest, descriptor])).values(),
];

async function forEachAtOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const takeNext = async (): Promise<void> => {
    const item = left.shift();
    if (item === undefined) return;
    await work(item).catch((error: unknown) => {
      // Start no more work after a failure.
      left.length = 0;
      throw error;
    });
    return takeNext();
  };
  await Promise.all(Array.from({ length: Math.min(BLOBS_AT_ONCE, items.length) }, takeNext));
}
