/** 1. The site cuts a query where the engine stops reading; the browser cannot ask the engine for that limit. */
import { expect, test } from "vitest";
import { MAX_QUERY_CHARACTERS } from "#search/index.ts";
import { MAX_QUERY_LENGTH } from "./protocol.ts";

test("1. the longest query", () => {
  expect(MAX_QUERY_LENGTH).toBe(MAX_QUERY_CHARACTERS);
});
