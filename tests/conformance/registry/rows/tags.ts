/** The list of tags, and its pages. */
import { expect } from "vitest";
import { pushImage, putManifest, TYPES } from "../content.ts";
import type { Answer, Repository } from "../repository.ts";
import type { Row } from "../row.ts";

const TAGS = ["test0", "test1", "test2", "test3"];

async function pushTags(here: Repository, tags: readonly string[]): Promise<void> {
  const image = await pushImage(here);
  for (const tag of tags) await putManifest(here, image, { reference: tag });
}

async function listTags(here: Repository, query = ""): Promise<{ tags: string[]; answer: Answer }> {
  const headers = { "content-type": /^application\/json/ };
  const answer = await here.ask("GET", `tags/list${query}`, { status: 200, headers });
  const { name, tags } = answer.json() as { name: string; tags: string[] };
  expect(name).toBe(here.name);
  return { tags, answer };
}

/** @returns the address of the next page; undefined: there is none */
function nextOf({ headers }: Answer): string | undefined {
  if (headers["link"] === undefined) return undefined;
  const found = /^<([^>]+)>; ?rel="next"$/.exec(headers["link"].toString());
  expect(found, headers["link"].toString()).not.toBeNull();
  return found?.[1];
}

const FORM =
  'Upon success, the response MUST be a json body in the following format: { "name": "<name>", "tags": […] }';

export const tagRows: readonly Row[] = [
  {
    section: "Listing Tags",
    sentence: FORM,
    async prove(here) {
      await pushTags(here, TAGS);
      expect((await listTags(here)).tags).toEqual(TAGS);
    },
  },
  {
    section: "Listing Tags",
    sentence: "The list of tags MAY be empty if there are no tags on the repository.",
    async prove(here) {
      // Other registries do not know a repository before its first push.
      const answer = await here.ask("GET", "tags/list", { status: here.target.isOurs ? 200 : [200, 404] });
      if (answer.status === 200) expect(answer.json()).toMatchObject({ tags: [] });
      const image = await pushImage(here);
      await here.ask("HEAD", `manifests/${image.digest}`, { status: 200 });
      if (answer.status === 200) expect((await listTags(here)).tags).toEqual([]);
    },
  },
  {
    section: "Listing Tags",
    sentence: "If the list is not empty, the tags MUST be in lexical order.",
    async prove(here) {
      await pushTags(here, ["b", "a", "1.10", "1.9", "_x", "b-1", "b.1"]);
      const { tags } = await listTags(here);
      expect(tags).toEqual(["1.10", "1.9", "_x", "a", "b", "b-1", "b.1"]);
    },
  },
  {
    section: "Listing Tags",
    sentence:
      "The response to such a request MAY return fewer than <int> results, but only when the total number of tags attached to the repository is less than <int> or a Link header is provided. Otherwise, the response MUST include <int> results.",
    async prove(here) {
      await pushTags(here, TAGS);
      for (const n of [1, 3, 4, 100]) {
        const { tags } = await listTags(here, `?n=${n}`);
        expect(tags).toEqual(TAGS.slice(0, n));
      }
    },
  },
  {
    section: "Listing Tags",
    sentence:
      'If included, the Link header MUST be set according to RFC5988 with the Relation Type rel="next".',
    of: "from page to page, every tag once",
    async prove(here) {
      await pushTags(here, TAGS);
      const seen: string[] = [];
      let next: string | undefined = `/v2/${here.name}/tags/list?n=3`;
      while (next !== undefined && seen.length <= TAGS.length) {
        const answer: Answer = await here.ask("GET", next, { status: 200 });
        seen.push(...(answer.json() as { tags: string[] }).tags);
        next = nextOf(answer);
      }
      expect(seen).toEqual(TAGS);
    },
  },
  {
    section: "Listing Tags",
    sentence: "When n is zero, this endpoint MUST return an empty list, and MUST NOT include a Link header.",
    async prove(here) {
      await pushTags(here, TAGS);
      const { tags, answer } = await listTags(here, "?n=0");
      expect(tags).toEqual([]);
      expect(answer.headers["link"]).toBeUndefined();
    },
  },
  {
    section: "Listing Tags",
    sentence:
      "<tagname> will not be included in the results, but up to <int> tags after <tagname> will be returned.",
    async prove(here) {
      await pushTags(here, TAGS);
      expect((await listTags(here, "?n=2&last=test1")).tags).toEqual(["test2", "test3"]);
      expect((await listTags(here, "?n=1&last=test1")).tags).toEqual(["test2"]);
      expect((await listTags(here, "?n=2&last=test3")).tags).toEqual([]);
    },
  },
  {
    section: "Listing Tags",
    sentence: "When using the last query parameter, the n parameter is OPTIONAL.",
    async prove(here) {
      await pushTags(here, TAGS);
      expect((await listTags(here, "?last=test0")).tags).toEqual(["test1", "test2", "test3"]);
      expect((await listTags(here, "?last=test1a")).tags).toEqual(["test2", "test3"]);
    },
  },
  {
    section: "Listing Tags",
    sentence: FORM,
    of: "a manifest that was pushed again has its tags once",
    async prove(here) {
      const image = await pushImage(here, { tag: "once" });
      await putManifest(here, image, { reference: "once" });
      await putManifest(here, { ...image, type: TYPES.image });
      expect((await listTags(here)).tags).toEqual(["once"]);
    },
  },
];
