/**
 * 1. Names are parsed as in Docker; invalid names are refused.
 * 2. A tar header gives back the written values, also for files above 8 GB; a damaged header is refused.
 * 3. Bytes that do not match their digest are refused at their end.
 * 4. A malformed manifest, or one with too many references, is refused.
 */
import { expect, test } from "vitest";
import { digestOf, verified } from "./digest.ts";
import { parseImageName } from "./image-name.ts";
import { readReferences } from "./manifest.ts";
import { BLOCK, readTarHeader, tarHeader } from "./tar-format.ts";

test("1. names", () => {
  const read = (text: string) => {
    const { host, path, tag } = parseImageName(text, "--tag");
    return [host, path, tag].join(" ");
  };
  expect(read("ghcr.io/acme/web:1.4")).toBe("ghcr.io acme/web 1.4");
  expect(read("localhost/web")).toBe("localhost web latest");
  expect(read("build.acme.example:8443/acme/web:v1")).toBe("build.acme.example:8443 acme/web v1");
  expect(read("acme/web")).toBe("docker.io acme/web latest");
  for (const wrong of [
    "web",
    "web:1",
    "ghcr.io/Acme/web",
    "ghcr.io/web:",
    "ghcr.io/a@sha256:1",
    "a.b/../c",
    "-x.y/z",
    "a.b/c d",
  ])
    expect(() => parseImageName(wrong, "--tag"), wrong).toThrow(/^--tag /);
});

test("2. tar", () => {
  const name = `blobs/sha256/${"a".repeat(64)}`;
  for (const size of [0, 511, 8 ** 11 - 1, 8 ** 11, 10 ** 12])
    expect(readTarHeader(tarHeader(name, size))).toEqual({ name, size, type: "0" });
  expect(readTarHeader(Buffer.alloc(BLOCK))).toBeNull();
  const damaged = tarHeader(name, 5);
  damaged.write("b", 20);
  expect(() => readTarHeader(damaged)).toThrow("not a tar archive");
});

test("3. digests", async () => {
  const bytes = Buffer.from("abc");
  let chunks: Uint8Array[] = [];
  const read = async (size: number, digest = digestOf(bytes)) => {
    chunks = [];
    for await (const chunk of verified(toStream([bytes.subarray(0, 1), bytes.subarray(1)]), { digest, size }))
      chunks.push(chunk);
    return String(Buffer.concat(chunks));
  };
  expect(await read(3)).toBe("abc");
  for (const size of [2, 4]) await expect(read(size)).rejects.toThrow("do not match");
  await expect(read(3, digestOf(Buffer.from("abd")))).rejects.toThrow("do not match");
  // A registry that expects three bytes does not get them.
  expect(String(Buffer.concat(chunks))).toBe("a");
});

async function* toStream(chunks: readonly Uint8Array[]) {
  yield* chunks;
}

test("4. manifests", () => {
  const digest = `sha256:${"0".repeat(64)}`;
  const read = (value: unknown) =>
    readReferences({ bytes: Buffer.from(JSON.stringify(value)), digest, mediaType: "" });
  const layer = { mediaType: "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip", digest, size: 1 };
  expect(read({ layers: [layer, { ...layer, mediaType: "x/y" }] }).blobs).toHaveLength(1);
  for (const wrong of [
    null,
    [],
    "x",
    { layers: {} },
    { layers: [null] },
    { config: { digest: "sha256:../x", size: 1 } },
  ])
    expect(() => read(wrong), JSON.stringify(wrong)).toThrow();
  expect(() => read({ manifests: Array.from({ length: 5000 }, () => layer) })).toThrow("more than 4096");
});
