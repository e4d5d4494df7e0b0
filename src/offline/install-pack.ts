/** Downloads a copy, checks it, stores it and then switches to it. After any failure, the former copy stays. */
import { BUILT_ADDRESS, fillBuiltAddress, siteAddress } from "#docs/address/site-address.ts";
import { DOWNLOAD_MS, INFO_MS, MAX_INFO_BYTES, STALL_MS, STORAGE_FACTOR, WRITES_AT_ONCE } from "./limits.ts";
import { type PackedFile, type Pack, readPack } from "./pack-format.ts";
import { INFO_PATH, type PackInfo, readPackInfo } from "./pack-info.ts";
import { markPage } from "./page-mark.ts";
import {
  alone,
  isThere,
  type PackCaches,
  packCacheOf,
  readStoredPack,
  removeUnused,
  type StoredPack,
  writeStoredPack,
} from "./stored-pack.ts";

/** Its message is for the reader. */
export class OfflineError extends Error {
  override name = "OfflineError";
}

/** An error's message for the reader. */
export const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

export const BROKEN_OFF = "The download was interrupted, and nothing was changed. Try again in a moment.";

export interface InstallEnvironment {
  caches: PackCaches;
  fetch: (address: string, options: RequestInit) => Promise<Response>;
  /** The origin of the site that shows the copy. */
  origin: string;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Absent if the browser does not support it. */
  estimate?: () => Promise<StorageEstimate>;
}

export interface Download {
  /** Received bytes and all bytes of the copy. */
  onProgress?: (done: number, total: number) => void;
  /** Ends the download, and removes its files. */
  signal?: AbortSignal;
}

/** The newest copy that the server has. @throws OfflineError */
export async function fetchPackInfo(
  fetch: InstallEnvironment["fetch"],
  signal?: AbortSignal,
): Promise<PackInfo> {
  const timeout = AbortSignal.timeout(INFO_MS);
  const response = await fetch(INFO_PATH, {
    cache: "no-cache",
    credentials: "omit",
    // Another origin must not answer.
    redirect: "error",
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  }).catch((cause: unknown) => {
    throw new OfflineError("The server could not be reached. Try again once you are online.", { cause });
  });
  if (response.status === 404)
    throw new OfflineError("This server has no offline copy: it serves the pages from their sources.");
  const info = readPackInfo(await readDescription(response).catch(() => null));
  if (response.ok && info) return info;
  throw new OfflineError(`The server did not describe its offline copy (status ${response.status}).`);
}

async function readDescription({ body }: Response): Promise<unknown> {
  const reader = body?.getReader();
  if (!reader) return null;
  const decoder = new TextDecoder();
  let text = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += decoder.decode(part.value, { stream: true });
    if (text.length <= MAX_INFO_BYTES) continue;
    await reader.cancel();
    return null;
  }
  return JSON.parse(text);
}

/**
 * @param former the copy that it replaces, unless that is removed in the meantime.
 * @throws OfflineError, or the signal's reason.
 */
export async function installPack(
  info: PackInfo,
  { caches, fetch, origin, now, estimate }: InstallEnvironment,
  { onProgress, signal }: Download = {},
  former: StoredPack | null = null,
): Promise<void> {
  await checkRoom(info, estimate);
  const bytes = await download(info, fetch, { ...(onProgress && { onProgress }), ...(signal && { signal }) });
  const name = packCacheOf(info.version);
  // A worker of a former release accepts any description, and may have brought this copy in the meantime.
  const isInUse = async () =>
    (await readStoredPack(caches))?.info.sha256 === info.sha256 && isThere(caches, info);
  if (await isInUse()) return;
  try {
    await caches.delete(name);
    const pack = readPack(bytes);
    await storeFiles(await caches.open(name), pack, { info, origin, signal });
    await alone(async () => {
      // Another worker may remove the copy for the reader while this worker is starting.
      if (former && !(await readStoredPack(caches)))
        throw new OfflineError("The copy was removed in the meantime.");
      // A worker of a former release may have begun with the same copy, and removed files written here.
      const kept = await (await caches.open(name)).keys();
      if (kept.length < pack.files.length) throw new OfflineError(BROKEN_OFF);
      await writeStoredPack(caches, { info, checkedAt: now() });
      await removeUnused(caches);
    });
  } catch (error) {
    if (!(await isInUse())) await caches.delete(name).catch(() => {});
    signal?.throwIfAborted();
    throw isFull(error) ? noRoom(info, error) : error;
  }
}

async function checkRoom(info: PackInfo, estimate: InstallEnvironment["estimate"]): Promise<void> {
  const { quota, usage = 0 } = (await estimate?.().catch(() => undefined)) ?? {};
  if (quota !== undefined && quota - usage < info.unpackedBytes * STORAGE_FACTOR) throw noRoom(info);
}

const isFull = (error: unknown) => error instanceof Error && error.name === "QuotaExceededError";

const noRoom = ({ unpackedBytes }: PackInfo, cause?: unknown) =>
  new OfflineError(
    `The browser has no room for the ${Math.ceil(unpackedBytes / 1_000_000)} MB of the copy. Free some of this device's storage, leave private browsing, and try again.`,
    { cause },
  );

/** The bytes of the copy, which have the hash that the server named. */
async function download(
  { address, unpackedBytes, sha256 }: PackInfo,
  fetch: InstallEnvironment["fetch"],
  { onProgress, signal }: Download,
): Promise<Uint8Array> {
  const stalled = new AbortController();
  const end = signal ? AbortSignal.any([signal, stalled.signal]) : stalled.signal;
  const bytes = new Uint8Array(unpackedBytes);
  let done = 0;
  const late = setTimeout(() => stalled.abort(), DOWNLOAD_MS);
  let timer = setTimeout(() => stalled.abort(), STALL_MS);
  try {
    // The browser's own cache would store a second copy.
    const response = await fetch(address, {
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal: end,
    });
    if (!response.ok || !response.body) throw new Error(`Status ${response.status}`);
    const reader = response.body.getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), STALL_MS);
      if (done + part.value.length > unpackedBytes) throw new Error("Too many bytes");
      bytes.set(part.value, done);
      done += part.value.length;
      onProgress?.(done, unpackedBytes);
    }
    if (done < unpackedBytes || (await hashOf(bytes)) !== sha256)
      throw new Error("The bytes do not have the expected hash");
    return bytes;
  } catch (cause) {
    signal?.throwIfAborted();
    throw new OfflineError(BROKEN_OFF, { cause });
  } finally {
    clearTimeout(timer);
    clearTimeout(late);
    // Stops the transfer of a refused file.
    stalled.abort();
  }
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface Target {
  info: PackInfo;
  origin: string;
  signal: AbortSignal | undefined;
}

async function storeFiles(
  cache: Cache,
  { headers, files }: Pack,
  { info, origin, signal }: Target,
): Promise<void> {
  for (let at = 0; at < files.length; at += WRITES_AT_ONCE) {
    signal?.throwIfAborted();
    const some = files.slice(at, at + WRITES_AT_ONCE);
    await Promise.all(
      some.map((file) =>
        cache.put(
          origin + file.path,
          new Response(bodyFor(file, info.made, origin), {
            status: file.status ?? 200,
            headers: { ...headers, ...file.headers, "Content-Type": file.type },
          }),
        ),
      ),
    );
  }
}

/** Fills in this site's address; a page also gets the date of its copy. */
function bodyFor({ body, type }: PackedFile, made: string, origin: string): BodyInit {
  if (!/^(?:text\/(?:html|x-script|markdown)|application\/json)/.test(type)) return new Uint8Array(body);
  const text = new TextDecoder().decode(body);
  const filled = text.includes(BUILT_ADDRESS.host) ? fillBuiltAddress(text, siteAddress(origin)) : text;
  return /html|x-script/.test(type) ? markPage(filled, made) : filled;
}
