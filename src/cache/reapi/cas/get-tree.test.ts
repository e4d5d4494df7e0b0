/**
 * Over the wire, with directories of about a megabyte each: no message of GetTree is larger than clients accept, and together,
 * or continued from any page, they have every directory once.
 */
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, onTestFinished, test } from "vitest";
import { DirectorySchema, GetTreeResponseSchema } from "../../messages/gen/reapi/remote_execution_pb.ts";
import { digestOf, openTestReapi } from "../../testing/reapi.ts";

/** The limit of gRPC's libraries unless they are configured otherwise. */
const CLIENT_BYTES = 4 * 1024 * 1024;

const SIZES = [1_200_000, 1_200_000, 900_000, 5, 2_900_000, 100, 2_800_000];

/** @param files that many bytes of names */
const directoryOf = (bytes: number, at: number) =>
  Buffer.from(
    toBinary(
      DirectorySchema,
      create(DirectorySchema, {
        files: Array.from({ length: Math.ceil(bytes / 1000) }, () => ({ name: `${at}`.padEnd(990, "n") })),
      }),
    ),
  );

test("large directories", async () => {
  const reapi = await openTestReapi("sqlite");
  onTestFinished(reapi.close);
  const { storage } = reapi.clients();
  const children = SIZES.map(directoryOf);
  const directories = children.map((bytes, at) => ({ name: `d${at}`, digest: digestOf(bytes) }));
  const root = Buffer.from(toBinary(DirectorySchema, create(DirectorySchema, { directories })));
  for (const data of [root, ...children])
    await storage.batchUpdateBlobs({ requests: [{ digest: digestOf(data), data }] });
  const read = async (pageToken = "") => {
    const pages: { hashes: string[]; next: string }[] = [];
    for await (const page of storage.getTree({ rootDigest: digestOf(root), pageToken })) {
      expect(toBinary(GetTreeResponseSchema, page).length).toBeLessThan(CLIENT_BYTES);
      const encoded = page.directories.map((directory) => toBinary(DirectorySchema, directory));
      pages.push({ hashes: encoded.map((bytes) => digestOf(bytes).hash), next: page.nextPageToken });
    }
    return pages;
  };
  const all = [root, ...children].map((bytes) => digestOf(bytes).hash);
  const pages = await read();
  expect(pages.length).toBeGreaterThan(2);
  expect(pages.flatMap(({ hashes }) => hashes)).toEqual(all);
  let before = 0;
  for (const { hashes, next } of pages) {
    before += hashes.length;
    if (next === "") continue;
    expect((await read(next)).flatMap((page) => page.hashes)).toEqual(all.slice(before));
  }
  expect(before).toBe(all.length);
});
