/** The documentation quotes the limits of vectors, rules and webhooks as they are, and its page those of templates. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as limits from "./limits.ts";

const facts = readFileSync(new URL("../../../content/facts/limits.yaml", import.meta.url), "utf8");

test("the facts are the limits", () => {
  const shown = Object.fromEntries(
    [...facts.matchAll(/- id: search\.(\S+)\n[\s\S]*?value: "?([^"\n]+)/g)].map(([, id, value]) => [
      id,
      value,
    ]),
  );
  const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  expect(shown).toEqual({
    "vectors.dimensions": limits.MAX_VECTOR_LENGTH.toLocaleString("en"),
    "vectors.document": String(limits.MAX_DOCUMENT_VECTORS),
    "vectors.embedders": String(limits.MAX_EMBEDDERS),
    "vectors.index": mebibytes(limits.MAX_INDEX_VECTOR_BYTES),
    "rules.count": String(limits.MAX_PIN_RULES),
    "rules.pins": String(limits.MAX_RULE_PINS),
    "rules.search": String(limits.MAX_SEARCH_PINS),
    "rules.text": String(limits.MAX_RULE_TEXT_LENGTH),
    "webhooks.count": String(limits.MAX_WEBHOOKS),
    "webhooks.headers": String(limits.MAX_WEBHOOK_HEADERS),
    "webhooks.time": `${limits.WEBHOOK_MS / 1000} seconds`,
    "webhooks.repeats": String(limits.WEBHOOK_PAUSES_MS.length),
    "webhooks.waiting": mebibytes(limits.MAX_WAITING_WEBHOOK_BYTES),
  });
  expect(limits.MAX_WEBHOOK_HEADER_LENGTH).toBe(2000);
  expect(limits.WEBHOOK_PAUSES_MS).toEqual([5_000, 30_000, 120_000]);
});

test("the page says the limits of templates", () => {
  const page = readFileSync(
    new URL("../../../content/docs/api/overview/search.mdx", import.meta.url),
    "utf8",
  );
  expect(page).toContain(
    `Templates are written in Liquid, with at most ${limits.MAX_TEMPLATE_LENGTH.toLocaleString("en")} characters.`,
  );
  expect(page).toContain(
    `One that renders more than ${limits.MAX_RENDERED_LENGTH.toLocaleString("en")} characters, or takes longer than ${limits.TEMPLATE_MS / 1000} second, gets \`400\`.`,
  );
});
