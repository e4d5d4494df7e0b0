/*
 * The site's index as the server opens it, with the file of what questions mean beside it:
 * 1. A known question finds its page. 2. Without that file, with a damaged one or one of another index, the server starts,
 * says so once and finds by words. 3. So does every start after it: nothing is left behind.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { pageOf } from "#docs/content/checks/page-fixture.ts";
import { emptyNavigation } from "#docs/content/navigation/navigation.ts";
import { buildDocsIndex, docsRecords, knownQuestions } from "#docs/docs-index.ts";
import { buildMeaning } from "#docs/questions/build-meaning.ts";
import { openMeaning } from "#docs/questions/open-meaning.ts";
import { readTableFile } from "#docs/questions/table-file.ts";
import type { Log } from "#platform/log/log.ts";
import { searchRoom } from "#search-server/index.ts";
import { parseEnvironment } from "../environment.ts";
import { siteIndexOf } from "./built-pages.ts";

const paragraph = (text: string) => ({ kind: "paragraph" as const, text });
const pages = [
  pageOf({
    path: "/docs/retention",
    title: "Retention",
    questions: ["clean up old docker pictures"],
    blocks: [paragraph("Expired images are removed after ninety days.")],
  }),
  pageOf({ path: "/docs/clock", title: "Clock", blocks: [paragraph("Times are shown in your zone.")] }),
];
const index = buildDocsIndex(docsRecords(pages, emptyNavigation), []);
const table = await readTableFile();
const meaning = buildMeaning(table, index, knownQuestions(pages));
const foreign = buildMeaning(table, buildDocsIndex(docsRecords(pages.slice(1), emptyNavigation), []), []);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "meaning-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function findPages(q: string, file: () => Uint8Array) {
  const errors: string[] = [];
  const error = (message: string) => void errors.push(message);
  const log: Log = { debug() {}, info() {}, warn() {}, error, writes: () => false, flush() {} };
  const env = parseEnvironment({ DATA_DIR: folder, SITE_ORIGIN: "http://localhost:3000" });
  const siteIndex = {
    ...siteIndexOf(env.SITE_ORIGIN),
    isElsewhere: false,
    read: () => Promise.resolve(index),
    readMeaning: (served: Uint8Array) => Promise.resolve().then(() => openMeaning(file(), served)),
    readRecords: () => Promise.reject(new Error("There is no other server.")),
  };
  const { room, gives } = await searchRoom.open(
    { pages: () => Promise.resolve({ siteIndex }), countSearches() {}, log },
    env,
  );
  const answer = await gives.askQuietly({ queries: [{ indexUid: siteIndex.uid, q }] });
  await room.close();
  const { results } = answer as { results: { hits: { url: string }[] }[] };
  return { paths: results[0]?.hits.map(({ url }) => new URL(url).pathname), errors };
}

test("1. a known question in other words", async () => {
  const found = await findPages("delete old pictures of docker", () => meaning);
  expect(found).toEqual({ paths: ["/docs/retention"], errors: [] });
});

const missing = () => {
  throw new Error("ENOENT: no such file");
};

test.each([
  ["missing", missing, /no such file/],
  ["cut off", () => meaning.subarray(0, 1000), /cut off/],
  ["of another index", () => foreign, /another index/],
])("2, 3. the file is %s", async (_, file, reason) => {
  for (const start of ["first", "next"]) {
    const unknown = await findPages("delete old pictures of docker", file);
    expect(unknown.paths, start).toEqual([]);
    expect(unknown.errors, start).toEqual([expect.stringMatching(reason)]);
    expect((await findPages("retention", file)).paths, start).toEqual(["/docs/retention"]);
  }
});
