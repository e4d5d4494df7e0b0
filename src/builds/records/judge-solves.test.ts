/**
 * 1. The last of several solves of a platform counts: a client has retried.
 * 2. A target that a Bake target builds on may end after it, and does not remove the image.
 * 3. A failure counts, whatever was made before.
 * 4. A solve that was canceled because another one failed does not hide that failure; a second attempt that someone cancels is
 *    canceled.
 * 5. If `buildkitd` has no record, the client's word counts.
 */
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { expect, test } from "vitest";
import { BuildHistoryRecordSchema } from "../gen/buildkit/control_pb.ts";
import { judgeSolves } from "./judge-solves.ts";

const HOST = "localhost:3000";
const claim = { succeeded: true, error: "", digest: "sha256:claimed" };
const IMAGE = "application/vnd.oci.image.manifest.v1+json";

interface Told {
  begins?: number;
  ends: number;
  image?: string;
  error?: string;
  /** gRPC's code of the error. */
  code?: number;
}

const solve = ({ begins = 0, ends, image, error, code = 2 }: Told) => ({
  platform: "linux/amd64",
  ref: `ref-${ends}`,
  record: create(BuildHistoryRecordSchema, {
    createdAt: timestampFromMs(begins),
    completedAt: timestampFromMs(ends),
    ...(error === undefined ? {} : { error: { code, message: error } }),
    ...(image === undefined
      ? {}
      : {
          result: { results: { 0: { mediaType: IMAGE, digest: image, size: 1n, annotations: {} } } },
          exporters: [{ type: "image", attrs: { name: `${HOST}/acme/web:1`, push: "true" } }],
        }),
  }),
});

test("1. the last", () => {
  const tried = [solve({ ends: 2, image: "sha256:b" }), solve({ ends: 1, error: "lost" })];
  expect(judgeSolves(tried, claim, HOST)).toMatchObject({ state: "succeeded", digest: "sha256:b" });
});

test("2. what a target builds on", () => {
  for (const ends of [1, 3])
    expect(
      judgeSolves([solve({ ends: 2, image: "sha256:web" }), solve({ ends })], claim, HOST),
    ).toMatchObject({
      state: "succeeded",
      digest: "sha256:web",
      image: `${HOST}/acme/web:1`,
    });
});

test("3. a failure", () => {
  const failed = [solve({ ends: 1, image: "sha256:a" }), solve({ ends: 2, error: "exit code: 1" })];
  expect(judgeSolves(failed, claim, HOST)).toMatchObject({ state: "failed", error: "exit code: 1" });
});

test("4. what ended because of a failure", () => {
  const failure = solve({ ends: 2, error: "parse error on line 2" });
  for (const [begins, ending] of [
    [1, { state: "failed", error: "parse error on line 2" }],
    [3, { state: "canceled", error: "context canceled" }],
  ] as const) {
    const other = solve({ begins, ends: 4, error: "context canceled", code: 1 });
    for (const solved of [
      [failure, other],
      [other, failure],
      [other, { ...failure, platform: "linux/arm64" }],
    ].slice(0, begins === 1 ? 3 : 2))
      expect(judgeSolves(solved, { ...claim, succeeded: false }, HOST)).toMatchObject(ending);
  }
});

test("5. the client", () => {
  expect(judgeSolves([], claim, HOST)).toEqual({ state: "succeeded", digest: "sha256:claimed" });
});
