import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** An image of one empty layer, as an OCI archive, as written by `buildx build --output type=oci`. */
export function makeImageArchive(folder: string, { isDamaged = false } = {}) {
  const blobs = join(folder, "blobs/sha256");
  mkdirSync(blobs, { recursive: true });
  const write = (mediaType: string, content: string) => {
    const sha256 = createHash("sha256").update(content).digest("hex");
    writeFileSync(join(blobs, sha256), content);
    return { mediaType, digest: `sha256:${sha256}`, size: content.length };
  };
  const layer = write("application/vnd.oci.image.layer.v1.tar", "\0".repeat(1024));
  const rootfs = { type: "layers", diff_ids: [layer.digest] };
  const config = write(
    "application/vnd.oci.image.config.v1+json",
    JSON.stringify({ architecture: "amd64", os: "linux", rootfs }),
  );
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const manifest = write(
    mediaType,
    JSON.stringify({ schemaVersion: 2, mediaType, config, layers: [layer] }, null, 2),
  );
  const sha256 = manifest.digest.slice("sha256:".length);
  if (isDamaged) writeFileSync(join(blobs, sha256), "{}");
  writeFileSync(join(folder, "oci-layout"), '{"imageLayoutVersion":"1.0.0"}');
  writeFileSync(join(folder, "index.json"), JSON.stringify({ schemaVersion: 2, manifests: [manifest] }));
  const file = join(folder, "image.tar");
  const packed = spawnSync("tar", ["--create", `--file=${file}`, "blobs", "index.json", "oci-layout"], {
    cwd: folder,
  });
  if (packed.status !== 0) throw new Error(packed.stderr.toString());
  return { file, sha256 };
}
