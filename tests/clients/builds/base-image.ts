/**
 * An image with a shell and the usual programs, made of this machine's busybox: a base for builds where no registry is
 * reached. For `FROM base`:
 *
 *   buildctl build --oci-layout base=<folder> --opt context:base=oci-layout://base@<digest>
 *   docker buildx build --build-context base=oci-layout://<folder>@<digest>
 *   crane push <folder> localhost:3000/acme/base:1
 */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, symlink, writeFile, copyFile, chmod } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { findDebianTool } from "../cache/install-tool.ts";

const run = promisify(execFile);

export interface BaseImage {
  /** In OCI's layout; its tag is `base`. */
  folder: string;
  /** The digest of its manifest. */
  digest: string;
}

/**
 * @param folder made new
 * @param programs further scripts of `/bin`, by their names
 * @returns null, with a message, where there is no static busybox
 */
export async function writeBaseImage(
  folder: string,
  programs: { [name: string]: string } = {},
): Promise<BaseImage | null> {
  if (!(await findDebianTool("busybox", { package: "busybox-static", version: "1:1." }))) return null;
  const { stdout: found } = await run("sh", ["-c", "command -v busybox"]);
  const busybox = found.trim();
  const root = join(folder, "root");
  for (const each of ["bin", "etc", "root", "tmp"]) await mkdir(join(root, each), { recursive: true });
  await chmod(join(root, "tmp"), 0o1777);
  await copyFile(busybox, join(root, "bin/busybox"));
  const { stdout } = await run(busybox, ["--list"]);
  const names = stdout.split("\n").filter((name) => name !== "" && name !== "busybox");
  await Promise.all(names.map((name) => symlink("busybox", join(root, "bin", name))));
  await writeFile(join(root, "etc/passwd"), "root:x:0:0::/root:/bin/sh\n");
  for (const [name, script] of Object.entries(programs)) {
    // Not through a link to busybox.
    await rm(join(root, "bin", name), { force: true });
    await writeFile(join(root, "bin", name), script, { mode: 0o755 });
  }
  return writeImage(folder, root, { Env: ["PATH=/bin"], Cmd: ["sh"] });
}

/** @param folder made new @param root the image's content */
export async function writeImage(folder: string, root: string, config: object): Promise<BaseImage> {
  await mkdir(folder, { recursive: true });
  const layer = join(folder, "layer.tar");
  // Always the same bytes, and so the same digest.
  const same = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner"];
  await run("tar", [...same, "--create", "--file", layer, "--directory", root, "."]);
  const layout = join(folder, "layout");
  return { folder: layout, digest: await writeLayout(layout, await readFile(layer), config) };
}

async function writeLayout(folder: string, layer: Buffer, imageConfig: object): Promise<string> {
  const blobs = join(folder, "blobs/sha256");
  await mkdir(blobs, { recursive: true });
  const put = async (mediaType: string, bytes: Buffer) => {
    const hash = createHash("sha256").update(bytes).digest("hex");
    await writeFile(join(blobs, hash), bytes);
    return { mediaType, digest: `sha256:${hash}`, size: bytes.length };
  };
  const putJson = (mediaType: string, value: object) => put(mediaType, Buffer.from(JSON.stringify(value)));
  const layers = [await put("application/vnd.oci.image.layer.v1.tar", layer)];
  const config = await putJson("application/vnd.oci.image.config.v1+json", {
    architecture: process.arch === "arm64" ? "arm64" : "amd64",
    os: "linux",
    rootfs: { type: "layers", diff_ids: layers.map(({ digest }) => digest) },
    config: imageConfig,
  });
  const type = "application/vnd.oci.image.manifest.v1+json";
  const manifest = await putJson(type, { schemaVersion: 2, mediaType: type, config, layers });
  const annotations = { "org.opencontainers.image.ref.name": "base" };
  const index = { schemaVersion: 2, manifests: [{ ...manifest, annotations }] };
  await writeFile(join(folder, "index.json"), JSON.stringify(index));
  await writeFile(join(folder, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }));
  return manifest.digest;
}
