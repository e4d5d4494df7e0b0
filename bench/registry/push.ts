/** Pushes as Docker does: a POST, the layer in one PATCH of undeclared length, a PUT. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import type { RegistryPeer } from "./peers.ts";

export const IMAGE = "application/vnd.oci.image.manifest.v1+json";

interface Call {
  method: string;
  /** Relative to the server, or absolute. */
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | (() => Iterable<Buffer>);
}

async function call(peer: RegistryPeer, { method, path, headers, body }: Call): Promise<IncomingMessage> {
  const sent = request(new URL(path, `http://127.0.0.1:${peer.port}`), {
    method,
    headers: { ...peer.headers, "content-type": "application/octet-stream", ...headers },
  });
  const answered = once(sent, "response") as Promise<[IncomingMessage]>;
  if (typeof body === "function") {
    for (const piece of body()) if (!sent.write(piece)) await once(sent, "drain");
    sent.end();
  } else sent.end(body);
  const [answer] = await answered;
  answer.resume();
  await once(answer, "end");
  if ((answer.statusCode ?? 500) >= 300) throw new Error(`${method} ${path}: ${answer.statusCode}`);
  return answer;
}

/** @param pieces the same on every call. @returns the digest */
export async function pushBlob(
  peer: RegistryPeer,
  pieces: () => Iterable<Buffer>,
  digest: string,
): Promise<void> {
  const base = `/v2/${peer.repository}/blobs/uploads/`;
  const begun = await call(peer, { method: "POST", path: base, headers: { "content-length": "0" } });
  const sent = await call(peer, { method: "PATCH", path: begun.headers.location ?? "", body: pieces });
  const end = new URL(sent.headers.location ?? "", `http://127.0.0.1:${peer.port}`);
  end.searchParams.set("digest", digest);
  await call(peer, { method: "PUT", path: end.href, headers: { "content-length": "0" } });
}

export const digestOf = (bytes: Buffer): string =>
  `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** An image of one layer with the tag `bench`. @returns the paths of its manifest and its layer */
export async function pushImage(peer: RegistryPeer, layer: Buffer) {
  const config = Buffer.from('{"architecture":"amd64","os":"linux"}');
  for (const blob of [config, layer]) await pushBlob(peer, () => [blob], digestOf(blob));
  const describe = (blob: Buffer, kind: string) => ({
    mediaType: `application/vnd.oci.image.${kind}`,
    digest: digestOf(blob),
    size: blob.length,
  });
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: IMAGE,
      config: describe(config, "config.v1+json"),
      layers: [describe(layer, "layer.v1.tar+gzip")],
    }),
  );
  const headers = { "content-type": IMAGE, "content-length": String(manifest.length) };
  const base = `/v2/${peer.repository}`;
  await call(peer, { method: "PUT", path: `${base}/manifests/bench`, headers, body: manifest });
  return {
    tag: `${base}/manifests/bench`,
    manifest: `${base}/manifests/${digestOf(manifest)}`,
    blob: `${base}/blobs/${digestOf(layer)}`,
  };
}
