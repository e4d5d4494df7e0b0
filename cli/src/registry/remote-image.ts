/** A repository of a registry as the source or the target of a copy. */
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../errors.ts";
import type { ImageSource, ImageTarget } from "./copy-image.ts";
import { digestOf, hashFor } from "./digest.ts";
import { isDigest } from "./image-name.ts";
import { IDLE_MS, MAX_MANIFEST_BYTES, MAX_TRIES } from "./limits.ts";
import { type Descriptor, MANIFEST_TYPES } from "./manifest.ts";
import {
  explain,
  openRepository,
  parseFields,
  readBody,
  type RegistryAccess,
  type RepositoryOptions,
} from "./registry-access.ts";
import { addressOf, refusal } from "./refusal.ts";
import { uploadBlob } from "./upload-blob.ts";

export type RemoteImage = ImageSource & ImageTarget;

export function openRemoteImage(options: RepositoryOptions): RemoteImage {
  const access = openRepository(options);
  return {
    readManifest: (reference) => readManifest(access, reference),
    openBlob: (blob, offset) => readBlob(access, blob, offset),
    async hasManifest(digest) {
      const headers = { accept: MANIFEST_TYPES.join(", ") };
      const answer = await access.request({
        method: "HEAD",
        url: addressOf(access, `manifests/${digest}`),
        headers,
      });
      await answer.body?.cancel();
      return answer.status === 200;
    },
    async putBlob(blob, open) {
      const answer = await access.request({ method: "HEAD", url: addressOf(access, `blobs/${blob.digest}`) });
      await answer.body?.cancel();
      if (answer.status !== 200) await uploadBlob(access, blob, open);
    },
    async putManifest({ bytes, mediaType, digest }, tag) {
      const url = addressOf(access, `manifests/${tag ?? digest}`);
      const headers = { "content-type": mediaType };
      const answer = await access.request({ method: "PUT", url, headers, body: bytes });
      if (answer.status !== 201)
        throw await refusal(access, answer, `did not accept the manifest ${tag ?? digest}`);
      await answer.body?.cancel();
    },
  };
}

async function readManifest(access: RegistryAccess, reference: string) {
  const headers = { accept: MANIFEST_TYPES.join(", ") };
  const answer = await access.request({
    method: "GET",
    url: addressOf(access, `manifests/${reference}`),
    headers,
  });
  if (answer.status !== 200) throw await refusal(access, answer, `has no image ${reference}`);
  const bytes = await readBody(answer, MAX_MANIFEST_BYTES);
  const digest = isDigest(reference)
    ? `${reference.split(":")[0]}:${hashFor(reference).update(bytes).digest("hex")}`
    : digestOf(bytes);
  if (isDigest(reference) && digest !== reference)
    throw new CliError(
      `${new URL(access.origin).host} sent a manifest that does not match ${reference}: try again`,
    );
  const mediaType = answer.headers.get("content-type")?.split(";")[0]?.trim() ?? "";
  return { bytes, digest, mediaType: mediaType || String(parseFields(bytes)["mediaType"] ?? "") };
}

/** After a broken connection, a new one requests the missing bytes. */
async function* readBlob(
  access: RegistryAccess,
  { digest, size }: Descriptor,
  offset: number,
): AsyncGenerator<Uint8Array> {
  let at = offset;
  for (let left = MAX_TRIES; ; left--) {
    try {
      for await (const chunk of readFrom(access, digest, at)) {
        at += chunk.length;
        yield chunk;
      }
      return;
    } catch (error) {
      if (at >= size && !(error instanceof CliError)) return;
      if (left === 1 || error instanceof CliError)
        throw await explain(access, error, addressOf(access, `blobs/${digest}`));
      await sleep(250 * 2 ** (MAX_TRIES - left));
    }
  }
}

async function* readFrom(access: RegistryAccess, digest: string, offset: number): AsyncGenerator<Uint8Array> {
  const headers: { [name: string]: string } = offset === 0 ? {} : { range: `bytes=${offset}-` };
  const answer = await access.request({ method: "GET", url: addressOf(access, `blobs/${digest}`), headers });
  if (answer.status !== 200 && answer.status !== 206)
    throw await refusal(access, answer, `did not send ${digest}`);
  let skip = answer.status === 206 ? 0 : offset;
  for await (const chunk of idleAtMost(answer)) {
    if (skip >= chunk.length) skip -= chunk.length;
    else {
      yield skip === 0 ? chunk : chunk.subarray(skip);
      skip = 0;
    }
  }
}

async function* idleAtMost(answer: Response): AsyncGenerator<Uint8Array> {
  const reader = answer.body?.getReader();
  if (!reader) return;
  try {
    for (;;) {
      let timer: NodeJS.Timeout | undefined;
      const idle = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`received nothing for ${IDLE_MS / 1000} s`)), IDLE_MS);
      });
      const { done, value } = await Promise.race([reader.read(), idle]).finally(() => clearTimeout(timer));
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}
