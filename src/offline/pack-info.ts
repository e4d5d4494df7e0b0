import { MAX_PACK_BYTES } from "./limits.ts";

/** The server's description of the newest offline copy. */
export const INFO_PATH = "/offline.json";
export const WORKER_PATH = "/offline-worker.js";
/** The pages that the worker answers for. */
export const SCOPE = "/docs";
/** The search index, inside the copy. */
export const INDEX_PATH = "/docs/offline.index";
/** Answers addresses without a page, inside the copy. */
export const MISSING_PATH = "/docs/404";

/** The newest offline copy, as the server describes it. */
export interface PackInfo {
  /** The first digits of the hash. */
  version: string;
  /** The path of the file, with the version in its name. */
  address: string;
  /** SHA-256 of the unpacked file in hexadecimal. */
  sha256: string;
  /** Bytes of the download. */
  bytes: number;
  unpackedBytes: number;
  pages: number;
  /** When it was built, in ISO 8601. */
  made: string;
}

/** @returns null for a malformed description */
export function readPackInfo(value: unknown): PackInfo | null {
  if (typeof value !== "object" || value === null) return null;
  // Each field is checked below.
  const info = value as { [Name in keyof PackInfo]?: unknown };
  const { version, address, sha256, bytes, unpackedBytes, pages, made } = info;
  if (!isText(version, /^[\da-f]{8,64}$/) || !isText(sha256, /^[\da-f]{64}$/)) return null;
  // Otherwise other bytes could take the name of the real copy, and an update would find nothing new.
  if (!sha256.startsWith(version) || address !== addressOf(version)) return null;
  if (!isText(made, /^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/) || Number.isNaN(Date.parse(made))) return null;
  if (!isSize(bytes) || !isSize(unpackedBytes) || !isSize(pages)) return null;
  return { version, address, sha256, bytes, unpackedBytes, pages, made };
}

export const addressOf = (version: string): string => `/assets/offline-${version}.pack`;

const isText = (value: unknown, shape: RegExp): value is string =>
  typeof value === "string" && shape.test(value);

const isSize = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value > 0 && value <= MAX_PACK_BYTES;
