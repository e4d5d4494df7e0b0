/** Reads an OCI layout from a tar archive: the positions of its files first, their bytes when they are needed. */
import { type FileHandle, open } from "node:fs/promises";
import { CliError, errorCode } from "../errors.ts";
import type { ImageSource } from "./copy-image.ts";
import { isDigest } from "./image-name.ts";
import { hashFor } from "./digest.ts";
import { MAX_ARCHIVE_ENTRIES, MAX_MANIFEST_BYTES } from "./limits.ts";
import { type Descriptor, type Manifest, readReferences } from "./manifest.ts";
import { parseFields } from "./registry-access.ts";
import { BLOCK, paddingOf, readTarHeader } from "./tar-format.ts";

export interface ArchivedImage {
  descriptor: Descriptor;
  /** The tag that it was pulled by; "" for none. */
  tag: string;
}

export interface Archive extends ImageSource {
  images: readonly ArchivedImage[];
  close(): Promise<void>;
}

interface Place {
  start: number;
  size: number;
}

const TAG_NAME = "org.opencontainers.image.ref.name";

/** @throws CliError if the file is not an archive */
export async function openArchive(path: string): Promise<Archive> {
  const file = await open(path, "r").catch((error: unknown) => {
    throw new CliError(`${path} cannot be read (${errorCode(error)})`, undefined, error);
  });
  try {
    const places = await findFiles(file);
    const index = places.get("index.json");
    if (!index || !places.has("oci-layout"))
      throw new CliError(
        "it has no image: create it with millrace pull --output, or with docker save of version 25 or newer",
      );
    const bytes = await readWhole(file, index);
    const { manifests } = readReferences({ bytes, digest: "index.json", mediaType: "" });
    return {
      images: manifests.map((descriptor) => ({
        descriptor,
        tag: tagOf(descriptor.annotations[TAG_NAME] ?? ""),
      })),
      readManifest: (digest) => readManifest(file, places, digest, manifests),
      openBlob: ({ digest }, offset) => readPlace(file, placeOf(places, digest), offset),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    if (error instanceof CliError) throw new CliError(`${path}: ${error.message}`, undefined, error);
    throw error;
  }
}

/** Some tools store the full name as the tag. */
const tagOf = (name: string): string => /[^:/]*$/.exec(name)?.[0] ?? "";

async function findFiles(file: FileHandle): Promise<Map<string, Place>> {
  const { size: length } = await file.stat();
  const places = new Map<string, Place>();
  const block = Buffer.alloc(BLOCK);
  for (let at = 0; at + BLOCK <= length;) {
    const { bytesRead } = await file.read(block, 0, BLOCK, at);
    const entry = bytesRead === BLOCK ? readTarHeader(block) : null;
    if (!entry) break;
    const start = at + BLOCK;
    if (start + entry.size > length) throw new CliError("it ends in the middle of a file: copy it again");
    if (entry.type === "0") places.set(entry.name, { start, size: entry.size });
    if (places.size > MAX_ARCHIVE_ENTRIES)
      throw new CliError(`it has more than ${MAX_ARCHIVE_ENTRIES} files`);
    at = start + entry.size + paddingOf(entry.size);
  }
  return places;
}

function placeOf(places: ReadonlyMap<string, Place>, digest: string): Place {
  const place = isDigest(digest) ? places.get(`blobs/${digest.replace(":", "/")}`) : undefined;
  if (!place)
    throw new CliError(`${digest} is not in the archive: create the archive again, with all platforms`);
  return place;
}

async function readManifest(
  file: FileHandle,
  places: ReadonlyMap<string, Place>,
  digest: string,
  known: readonly Descriptor[],
): Promise<Manifest> {
  const bytes = await readWhole(file, placeOf(places, digest));
  if (`${digest.split(":")[0]}:${hashFor(digest).update(bytes).digest("hex")}` !== digest)
    throw new CliError(`${digest} is damaged in the archive: copy it again`);
  const named = known.find((descriptor) => descriptor.digest === digest)?.mediaType;
  return { digest, bytes, mediaType: named || ownType(bytes) };
}

/** A manifest may leave its type to its descriptor; then only its fields show it. */
function ownType(bytes: Uint8Array): string {
  const value = parseFields(bytes);
  if (typeof value["mediaType"] === "string") return value["mediaType"];
  return `application/vnd.oci.image.${value["manifests"] === undefined ? "manifest" : "index"}.v1+json`;
}

async function readWhole(file: FileHandle, place: Place): Promise<Buffer> {
  if (place.size > MAX_MANIFEST_BYTES)
    throw new CliError(`a manifest has more than ${MAX_MANIFEST_BYTES} bytes`);
  const bytes = Buffer.alloc(place.size);
  await file.read(bytes, 0, place.size, place.start);
  return bytes;
}

const PIECE = 256 * 1024;

async function* readPlace(
  file: FileHandle,
  { start, size }: Place,
  offset: number,
): AsyncGenerator<Uint8Array> {
  for (let at = offset; at < size;) {
    const piece = Buffer.alloc(Math.min(PIECE, size - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, start + at);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
