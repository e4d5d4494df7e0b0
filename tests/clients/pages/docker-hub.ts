/** Stands in for Docker Hub, for a server that cannot or shall not reach it. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type BaseImage } from "../builds/base-image.ts";
import { writeLayout } from "../registry/image-layout.ts";

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";

export interface DockerHub {
  /** `http://127.0.0.1:4712` */
  origin: string;
  close: () => Promise<void>;
}

/**
 * @param folder for an image of one small file, which all other names have
 * @param images by their names; "" for all others. Each has its image under every tag.
 */
export async function startDockerHub(
  folder: string,
  images: ReadonlyMap<string, BaseImage> = new Map(),
): Promise<DockerHub> {
  const small = { folder, digest: writeLayout(folder, "Alpine, as far as the pages need it.\n") };
  const server = createServer(({ url = "" }, response) => {
    const [, name = "", kind, reference = ""] =
      /^\/v2\/(.+)\/(manifests|blobs)\/([\w.:-]+)(?:\?|$)/.exec(url) ?? [];
    if (kind === undefined) return void response.writeHead(url === "/v2/" ? 200 : 404).end("{}");
    const image = images.get(name) ?? images.get("") ?? small;
    const asked = reference.startsWith("sha256:") ? reference : image.digest;
    const bytes = readBlob(image.folder, asked);
    if (bytes === null) return void response.writeHead(404).end("{}");
    const type = kind === "manifests" ? MANIFEST : "application/octet-stream";
    response.writeHead(200, {
      "content-type": type,
      "content-length": bytes.length,
      "docker-content-digest": asked,
    });
    // Node omits the body for HEAD.
    response.end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A port of TCP has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readBlob(folder: string, digest: string): Buffer | null {
  try {
    return readFileSync(join(folder, "blobs", digest.replace(":", "/")));
  } catch {
    return null;
  }
}
