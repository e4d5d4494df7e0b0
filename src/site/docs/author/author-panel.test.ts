// @vitest-environment happy-dom
// @vitest-environment-options {"url": "https://site.test/docs/cache"}
/**
 * 1. The closed panel sends no requests; when opened, it takes the focus and shows problems with file, line and fix,
 *    questions with their places, and records.
 * 2. Escape closes it and returns the focus. An open panel is open again after a reload, but takes no focus.
 * 3. Tried words show the page's place; a late answer is not shown for later words.
 * 4. A refusal of the server is shown in its words.
 * 5. Texts of the content are shown as text.
 */
import { act, createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { PageReport, QueryReport } from "#docs/author/types.ts";
import { AuthorPanel } from "./author-panel.tsx";

const report: PageReport = {
  path: "/docs/cache",
  title: "Cache",
  file: "content/docs/cache.mdx",
  isDraft: true,
  problems: [
    {
      file: "content/docs/cache.mdx",
      line: 7,
      rule: "dead-link",
      severity: "error",
      message: "There is no <b>page</b>.",
      fix: "[a page](/docs/keys)",
    },
  ],
  elsewhere: 2,
  questions: [
    {
      query: "cache",
      file: "tests/relevance/cache.yaml",
      within: 1,
      place: 1,
      other: null,
      isAnswered: true,
    },
    {
      query: "keys",
      file: "tests/relevance/cache.yaml",
      within: 3,
      place: 4,
      other: "/docs/keys",
      isAnswered: false,
    },
  ],
  questionProblems: [],
  records: [
    { type: "lvl2", anchor: "quota", position: 1, hierarchy: ["Cache", "Quota"], content: null },
    { type: "content", anchor: "quota", position: 2, hierarchy: ["Cache", "Quota"], content: "50 GB." },
  ],
  recordCount: 2,
};
const answers = new Map<string, () => Promise<Response>>();
const asked: string[] = [];
let root: Root | undefined;

const json = (body: object, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }));
const text = () => document.querySelector("aside")?.textContent ?? "";
const button = () => document.querySelector<HTMLButtonElement>(".author-button");

async function load(): Promise<void> {
  document.body.innerHTML = "<div></div>";
  const place = document.querySelector("div");
  if (!place) throw new Error("no place");
  root = createRoot(place);
  const panel = createElement(AuthorPanel);
  await act(async () =>
    root?.render(createElement(MemoryRouter, { initialEntries: ["/docs/cache"] }, panel)),
  );
}

const click = (element: HTMLElement | null) => act(async () => element?.click());

function type(words: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>(".author-try input");
  const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  return act(async () => {
    // Like a browser: bypasses the property that React watches.
    setter?.call(input, words);
    input?.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("__SPRITE_URL__", "/icons.svg");
  vi.stubGlobal("fetch", (address: string) => {
    asked.push(address);
    return answers.get(address)?.() ?? json({ message: "No one expected this." }, 500);
  });
  sessionStorage.clear();
  asked.length = 0;
  answers.clear();
  answers.set("/dev/page?path=%2Fdocs%2Fcache", () => json(report));
});

afterEach(async () => {
  await act(async () => root?.unmount());
  vi.unstubAllGlobals();
});

it("1. shows problems, questions and records", async () => {
  await load();
  expect(asked).toEqual([]);
  await click(button());
  expect(asked).toHaveLength(1);
  expect(document.activeElement?.id).toBe("author-panel-title");
  expect(text()).toContain("content/docs/cache.mdx is a draft");
  for (const part of [
    "content/docs/cache.mdx:7",
    "dead-link",
    "[a page](/docs/keys)",
    "2 problems in other files",
    "1 of 2 answered",
    "✓ ranks 1st, wanted first",
    "✗ ranks 4th, wanted within the first 3; /docs/keys ranks before it",
    "1 lvl2, 1 content",
    "Cache › Quota",
    "50 GB.",
  ])
    expect(text()).toContain(part);
});

it("2. closes with Escape, and stays open when the page is loaded again", async () => {
  await load();
  await click(button());
  await act(async () => root?.unmount());
  await load();
  expect(text()).toContain("dead-link");
  expect(document.activeElement?.id).not.toBe("author-panel-title");
  const isKept = document.querySelector<HTMLInputElement>(".author-try input");
  await act(async () => {
    isKept?.focus();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", cancelable: true }));
  });
  expect(document.querySelector("aside")).toBeNull();
  expect(document.activeElement).toBe(button());
  await act(async () => root?.unmount());
  await load();
  expect(document.querySelector("aside")).toBeNull();
});

it("3. tries words", async () => {
  const found = (query: string, place: number): QueryReport => ({
    query,
    place,
    pages: [
      { address: "/docs/keys", title: "Keys" },
      { address: "/docs/cache#quota", title: "Cache" },
    ],
  });
  const late = Promise.withResolvers<Response>();
  answers.set("/dev/page?path=%2Fdocs%2Fcache&q=quo", () => late.promise);
  answers.set("/dev/page?path=%2Fdocs%2Fcache&q=quota", () => json(found("quota", 2)));
  await load();
  await click(button());
  await type("quo");
  await type("quota");
  await act(async () => late.resolve(await json(found("quo", 1))));
  expect(text()).toContain("This page ranks 2nd of 2 pages.");
  expect(document.querySelector("[aria-current]")?.textContent).toContain("/docs/cache#quota");
});

it("4. shows what the server refuses", async () => {
  answers.set("/dev/page?path=%2Fdocs%2Fcache", () => json({ message: "There is no page here." }, 404));
  await load();
  await click(button());
  expect(document.querySelector("[role=alert]")?.textContent).toBe("There is no page here.");
});

it("5. shows texts as text", async () => {
  await load();
  await click(button());
  expect(text()).toContain("There is no <b>page</b>.");
});
