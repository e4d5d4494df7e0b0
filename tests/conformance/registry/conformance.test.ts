/**
 * OCI Distribution 1.1, sentence by sentence. Each row names the section and the sentence that it proves; `target.ts`
 * explains how to ask another registry. The official suite asks about the same: every way to push a blob with each
 * digest algorithm and with wrong digests, ranges, images of all shapes (empty, large, nested, artifacts, with subjects
 * that are there or not), tags and referrers with their filters, deletes.
 */
import { afterAll, beforeAll, describe, test } from "vitest";
import { blobRows } from "./rows/blobs.ts";
import { chunkRows } from "./rows/chunks.ts";
import { errorRows } from "./rows/errors.ts";
import { managementRows } from "./rows/management.ts";
import { manifestRows } from "./rows/manifests.ts";
import { ownRows } from "./rows/own.ts";
import { pullRows } from "./rows/pull.ts";
import { referrerRows } from "./rows/referrers.ts";
import { shapeRows } from "./rows/shapes.ts";
import { tagRows } from "./rows/tags.ts";
import { makeRepository } from "./repository.ts";
import { openTarget, type Target } from "./target.ts";

let target: Target;
beforeAll(async () => void (target = await openTarget()));
afterAll(() => target?.close());

const rows = [
  ...pullRows,
  ...blobRows,
  ...chunkRows,
  ...manifestRows,
  ...shapeRows,
  ...tagRows,
  ...referrerRows,
  ...managementRows,
  ...errorRows,
  ...(process.env["CONFORMANCE_URL"] === undefined ? ownRows : []),
];

describe.concurrent.each([...new Set(rows.map(({ section }) => section))])("%s", (section) => {
  const own = rows.filter((row) => row.section === section);
  test.concurrent.each(
    own.map((row) => ({ ...row, title: row.of ? `${row.sentence} (${row.of})` : row.sentence })),
  )(
    "$title",
    async ({ prove }) => void (await prove(await makeRepository(target), await makeRepository(target))),
  );
});
