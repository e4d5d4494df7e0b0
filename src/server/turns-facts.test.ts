/** 1. Pages state the actual limits. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { MAX_STREAMS, MAX_STREAMS_PER_ORGANIZATION } from "#builds/index.ts";
import * as turns from "#platform/fair/limits.ts";
import { root } from "./pages/build-folders.ts";

test("1. facts", () => {
  const { limits } = parse(readFileSync(join(root, "content/facts/limits.yaml"), "utf8")) as {
    limits: { id: string; value: string; description?: string }[];
  };
  const find = (id: string) => limits.find((limit) => limit.id === id);
  expect(find("turns.share")?.description).toContain(`${100 * turns.SHARE_BESIDE_STRANGERS} %`);
  const valueOf = (id: string) => find(id)?.value;
  expect(valueOf("turns.share")).toBe(`${100 * turns.MOST_SHARE} %`);
  expect(valueOf("turns.waiting")).toBe(turns.MAX_WAITING.toLocaleString("en"));
  expect(find("turns.waiting")?.description).toContain(` ${turns.MAX_LANE_WAITING} wait for each network`);
  expect(find("turns.waiting")?.description).toContain(
    ` ${turns.MAX_ALL_WAITING.toLocaleString("en")} wait in all`,
  );
  expect(valueOf("turns.wait")).toBe(`${turns.MAX_WAIT_MS / 1_000} seconds`);
  expect(valueOf("streams.organization")).toBe(MAX_STREAMS_PER_ORGANIZATION.toLocaleString("en"));
  expect(MAX_STREAMS_PER_ORGANIZATION).toBe(MAX_STREAMS / 2);
});
