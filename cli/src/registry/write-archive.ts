/**
 * Images in one file that needs no network: an OCI layout in a tar archive, which Docker, Podman, skopeo and containerd
 * can also read.
 *
 *   oci-layout     blobs/sha256/<digits> …     index.json, with the name of each image
 *
 * https://github.com/opencontainers/image-spec/blob/main/image-layout.md
 */
import { randomBytes } from "node:crypto";
import { type FileHandle, open, rename, stat, unlink } from "node:fs/promises";
import { CliError, errorCode } from "../errors.ts";
import type { ImageTarget } from "./copy-image.ts";
import { verified } from "./digest.ts";
import { INDEX_TYPE, type Manifest } from "./manifest.ts";
import { paddingOf, tarHeader } from "./tar-format.ts";

export interface ArchiveWriter extends ImageTarget {
  /** @param name `build.acme.example/acme/web:1.4` */
  addImage(manifest: Manifest, name: { whole: string; tag: string }): void;
  /** Writes the index, and moves the file to its path. */
  finish(): Promise<void>;
  /** Removes the unfinished file. */
  abort(): Promise<void>;
}

/** @throws CliError when the file cannot be written */
export async function createArchive(path: string): Promise<ArchiveWriter> {
  // The file would replace a device or a folder.
  const there = await stat(path).catch(() => null);
  if (there && !there.isFile())
    throw new CliError(`${path} is not a file: name one, as in --output image.tar`);
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = await open(draft, "wx").catch((error: unknown) => {
    throw cannotWrite(path, error);
  });
  return writeTo(file, draft, path);
}

function cannotWrite(path: string, error: unknown): CliError {
  const code = errorCode(error);
  const advice = { ENOSPC: ": free some space", ENOENT: ": there is no such folder" }[code] ?? "";
  return new CliError(`${path} cannot be written (${code})${advice}`, undefined, error);
}

async function writeTo(file: FileHandle, draft: string, path: string): Promise<ArchiveWriter> {
  const written = new Set<string>();
  const images: object[] = [];
  // Files of a tar archive are written one at a time.
  let turn: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  };
  const write = (bytes: Uint8Array) =>
    file.writeFile(bytes).catch((error: unknown) => {
      throw cannotWrite(path, error);
    });
  const addFile = async (
    name: string,
    size: number,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  ) => {
    await write(tarHeader(name, size));
    for await (const chunk of chunks) await write(chunk);
    await write(Buffer.alloc(paddingOf(size)));
  };
  const addBytes = (name: string, bytes: Uint8Array) => addFile(name, bytes.length, [bytes]);
  const addOnce = (digest: string, add: () => Promise<void>) =>
    inTurn(async () => {
      if (written.has(digest)) return;
      await add();
      written.add(digest);
    });
  await addBytes("oci-layout", Buffer.from('{"imageLayoutVersion":"1.0.0"}'));
  return {
    hasManifest: (digest) => Promise.resolve(written.has(digest)),
    putBlob: (blob, openBytes) =>
      addOnce(blob.digest, () => addFile(placeOf(blob.digest), blob.size, verified(openBytes(0), blob))),
    putManifest: ({ digest, bytes }) => addOnce(digest, () => addBytes(placeOf(digest), bytes)),
    addImage({ mediaType, digest, bytes }, { whole, tag }) {
      const annotations = { "io.containerd.image.name": whole, "org.opencontainers.image.ref.name": tag };
      images.push({ mediaType, digest, size: bytes.length, annotations });
    },
    async finish() {
      const index = { schemaVersion: 2, mediaType: INDEX_TYPE, manifests: images };
      await inTurn(() => addBytes("index.json", Buffer.from(JSON.stringify(index))));
      await write(Buffer.alloc(1024));
      try {
        await file.sync();
        await file.close();
        await rename(draft, path);
      } catch (error) {
        throw cannotWrite(path, error);
      }
    },
    async abort() {
      await turn;
      await file.close().catch(() => {});
      await unlink(draft).catch(() => {});
    },
  };
}

const placeOf = (digest: string): string => `blobs/${digest.replace(":", "/")}`;
