/**
 * Uploads one blob to a registry: mounts it if it exists there, otherwise sends it, and resumes a broken upload.
 *
 *   POST uploads/ ─► Location     PATCH all bytes ─► Location     PUT ?digest=
 *                                      broken ─► GET Location ─► Range: 0-<last> ─► PATCH the rest
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../errors.ts";
import { verified } from "./digest.ts";
import { MAX_TRIES, UPLOAD_ANSWER_MS } from "./limits.ts";
import type { Descriptor } from "./manifest.ts";
import { explain, type RegistryAccess } from "./registry-access.ts";
import { addressOf, refusal } from "./refusal.ts";

type OpenBytes = (offset: number) => AsyncIterable<Uint8Array>;

interface Upload {
  url: URL;
  /** Bytes that the registry has received. */
  received: number;
}

export async function uploadBlob(access: RegistryAccess, blob: Descriptor, open: OpenBytes): Promise<void> {
  let upload = await begin(access, blob);
  if (upload === "mounted") return;
  for (let left = MAX_TRIES; ; left--) {
    try {
      await finish(access, blob, await send(access, blob, upload, open));
      return;
    } catch (error) {
      if (left === 1 || error instanceof CliError) throw await explain(access, error, upload.url);
      await sleep(250 * 2 ** (MAX_TRIES - left));
      const found: Upload | "mounted" = (await resume(access, upload)) ?? (await begin(access, blob));
      if (found === "mounted") return;
      upload = found;
    }
  }
}

async function begin(access: RegistryAccess, { digest }: Descriptor): Promise<Upload | "mounted"> {
  const url = addressOf(access, "blobs/uploads/");
  if (access.mountFrom !== undefined) {
    url.searchParams.set("mount", digest);
    url.searchParams.set("from", access.mountFrom);
  }
  const answer = await access.request({ method: "POST", url, headers: { "content-length": "0" } });
  if (answer.status === 201) {
    await answer.body?.cancel();
    return "mounted";
  }
  if (answer.status !== 202) throw await refusal(access, answer, "does not accept blobs");
  await answer.body?.cancel();
  return { url: locationOf(access, answer, url), received: 0 };
}

async function send(
  access: RegistryAccess,
  blob: Descriptor,
  { url, received }: Upload,
  open: OpenBytes,
): Promise<URL> {
  const { size } = blob;
  if (received >= size) return url;
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": String(size - received),
    ...(received > 0 && { "content-range": `${received}-${size - 1}` }),
  };
  // Only the whole blob can be verified; the registry always verifies it.
  const body = () => (received === 0 ? verified(open(0), blob) : open(received));
  const answer = await access.request({ method: "PATCH", url, headers, body, timeoutMs: timeFor(size) });
  if (answer.status !== 202 && answer.status !== 201) {
    if (answer.status >= 500 || answer.status === 416 || answer.status === 429)
      throw new Error(`the registry responded with ${answer.status}`);
    throw await refusal(access, answer, `did not accept ${blob.digest}`);
  }
  await answer.body?.cancel();
  return locationOf(access, answer, url);
}

/** Milliseconds for the upload, at 50 kB per second. */
const timeFor = (size: number): number => UPLOAD_ANSWER_MS + size / 50;

async function finish(access: RegistryAccess, { digest }: Descriptor, url: URL): Promise<void> {
  const end = new URL(url);
  end.searchParams.set("digest", digest);
  const headers = { "content-length": "0" };
  const answer = await access.request({ method: "PUT", url: end, headers, timeoutMs: UPLOAD_ANSWER_MS });
  if (answer.status !== 201) throw await refusal(access, answer, `did not accept ${digest}`);
  await answer.body?.cancel();
}

/** @returns undefined if the registry no longer knows the upload */
async function resume(access: RegistryAccess, { url }: Upload): Promise<Upload | undefined> {
  const answer = await access.request({ method: "GET", url });
  await answer.body?.cancel();
  if (answer.status !== 204 && answer.status !== 200 && answer.status !== 202) return undefined;
  const [, last = ""] = /^(?:bytes=)?0-(\d{1,15})$/.exec(answer.headers.get("range") ?? "") ?? [];
  // "0-0" means no bytes in most registries, and one byte in some: both accept a new upload.
  const received = Number(last) > 0 ? Number(last) + 1 : 0;
  if (received === 0) return undefined;
  return { url: answer.headers.has("location") ? locationOf(access, answer, url) : url, received };
}

function locationOf({ origin }: RegistryAccess, answer: Response, url: URL): URL {
  const location = answer.headers.get("location") ?? "";
  if (location === "" || !URL.canParse(location, url))
    throw new CliError(`${url.origin} did not say where to send an upload`);
  const target = new URL(location, url);
  // The request would carry the token.
  if (target.origin !== new URL(origin).origin)
    throw new CliError(`${url.origin} asks to send uploads to ${target.origin}, which is a different server`);
  return target;
}
