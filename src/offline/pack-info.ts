import { MAX_PACK_BYTES } from "./limits.ts";

/** Where the server says which offline copy is the newest. */
export const INFO_PATH = "/offline.json";
export const WORKER_PATH = "/offline-worker.js";
/** The pages that the worker answers for. */
export const SCOPE = "/docs";
/** The index of the search, inside the copy. */
export const INDEX_PATH = "/docs/offline.index";
/** Answers addresses without a page, inside the copy. */
export const MISSING_PATH = "/docs/404";

/** The newest offline copy, as the server describes it. */
export interface PackInfo {
  /** Changes with its content. */
  version: string;
  /** The path of the file. */
  address: string;
  /** SHA-256 of the unpacked file in hexadecimal. */
  sha256: string;
  /** As it is downloaded. */
  bytes: number;
  unpackedBytes: number;
  pages: number;
  /** When it was built, in ISO 8601. */
  made: string;
}

/** Null for anything that is not a description as the build writes it. */
export function readPackInfo(value: unknown): PackInfo | null {
  if (typeof value !== "object" || value === null) return null;
  // Each field is checked below.
  const info = value as { [Name in keyof PackInfo]?: unknown };
  const { version, address, sha256, bytes, unpackedBytes, pages, made } = info;
  if (!isText(version, /^[\da-f]{8,64}$/) || !isText(sha256, /^[\da-f]{64}$/)) return null;
  if (!isText(address, /^\/assets\/offline-[\da-f]{8,64}\.pack$/)) return null;
  if (!isText(made, /^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/) || Number.isNaN(Date.parse(made))) return null;
  if (!isSize(bytes) || !isSize(unpackedBytes) || !isSize(pages)) return null;
  return { version, address, sha256, bytes, unpackedBytes, pages, made };
}

const isText = (value: unknown, shape: RegExp): value is string =>
  typeof value === "string" && shape.test(value);

const isSize = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value <= MAX_PACK_BYTES;
