/** An image in a folder, in OCI's layout: the form that clients push. */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * An image of one layer with a file, under the tag `v1`.
 * @param content of the file: other content makes another image
 * @returns the digest of its manifest
 */
export function writeLayout(folder: string, content = "Hello from the registry.\n"): string {
  const blobs = join(folder, "blobs/sha256");
  mkdirSync(blobs, { recursive: true });
  const put = (mediaType: string, bytes: Buffer | string) => {
    const hash = createHash("sha256").update(bytes).digest("hex");
    writeFileSync(join(blobs, hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: Buffer.byteLength(bytes) };
  };
  const layer = makeTar("hello.txt", content);
  const config = put(
    "application/vnd.oci.image.config.v1+json",
    JSON.stringify({
      architecture: "amd64",
      os: "linux",
      rootfs: { type: "layers", diff_ids: [`sha256:${createHash("sha256").update(layer).digest("hex")}`] },
      config: {},
    }),
  );
  const layers = [put("application/vnd.oci.image.layer.v1.tar", layer)];
  const type = "application/vnd.oci.image.manifest.v1+json";
  const manifest = put(type, JSON.stringify({ schemaVersion: 2, mediaType: type, config, layers }));
  const annotations = { "org.opencontainers.image.ref.name": "v1" };
  const manifests = [{ ...manifest, annotations }];
  writeFileSync(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests }));
  writeFileSync(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  return manifest.digest;
}

const BLOCK = 512;

/** An archive of one file, in the form of POSIX. */
function makeTar(name: string, content: string): Buffer {
  const header = Buffer.alloc(BLOCK);
  header.write(name, 0);
  const fields: [text: string, at: number][] = [
    ["0000644\0", 100],
    ["0000000\0", 108],
    ["0000000\0", 116],
    [`${Buffer.byteLength(content).toString(8).padStart(11, "0")}\0`, 124],
    ["00000000000\0", 136],
    ["        ", 148],
    ["0", 156],
    ["ustar\u000000", 257],
  ];
  for (const [text, at] of fields) header.write(text, at, "latin1");
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const padded = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / BLOCK) * BLOCK);
  padded.write(content);
  return Buffer.concat([header, padded, Buffer.alloc(BLOCK * 2)]);
}
