import { createHash } from "node:crypto";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { FILE_MODE, FOLDER_MODE } from "#platform/files/durable.ts";

export interface CopiedFile {
  bytes: number;
  /** SHA-256, in hexadecimal. */
  sha256: string;
}

const CHUNK_BYTES = 1024 * 1024;

/**
 * Copies an open file to a new one that only this user can read. A file that is replaced or removed meanwhile
 * is copied in its state when opened.
 * @throws the system's error; `EEXIST` when the file already exists
 */
export async function copyOpenFile(source: FileHandle, target: string): Promise<CopiedFile> {
  await mkdir(dirname(target), { recursive: true, mode: FOLDER_MODE });
  const copy = await open(target, "wx", FILE_MODE);
  try {
    return await readThrough(source, async (chunk) => void (await copy.writeFile(chunk)));
  } finally {
    await copy.close();
  }
}

/** Copies a file like `copyOpenFile`. */
export async function copyFile(from: string, to: string): Promise<CopiedFile> {
  const source = await open(from);
  try {
    return await copyOpenFile(source, to);
  } finally {
    await source.close();
  }
}

export async function measureFile(path: string): Promise<CopiedFile> {
  const file = await open(path);
  try {
    return await readThrough(file, () => {});
  } finally {
    await file.close();
  }
}

async function readThrough(
  file: FileHandle,
  take: (chunk: Uint8Array) => Promise<void> | void,
): Promise<CopiedFile> {
  const hash = createHash("sha256");
  const buffer = new Uint8Array(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest("hex") };
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await take(chunk);
    bytes += bytesRead;
  }
}
