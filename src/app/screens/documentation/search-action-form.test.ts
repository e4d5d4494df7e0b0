/**
 * 1. Each list's form becomes its one action. 2. Synonyms are cleaned, unique and at least two.
 * 3. Anything but a path of the documentation is refused with the value and an example.
 */
import { expect, test } from "vitest";
import { readAction } from "./search-action-form.ts";

function form(values: { [name: string]: string }): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test("1. three actions", () => {
  const path = "/docs/cache/overview#limits";
  expect(readAction("top", "turbo", form({ path, within: "3" }))).toEqual({
    kind: "relevance-test",
    query: "turbo",
    path,
    within: 3,
  });
  expect(readAction("no-clicks", "turbo", form({ path }))).toEqual({
    kind: "redirect",
    query: "turbo",
    path,
  });
  expect(readAction("no-hits", "k8", form({ word: "k8", same: "kubernetes" }))).toEqual({
    kind: "synonym",
    words: ["k8", "kubernetes"],
  });
});

test("2. synonyms", () => {
  expect(readAction("no-hits", "k8", form({ word: " k8 ", same: "kubernetes, , cluster,K8" }))).toEqual({
    kind: "synonym",
    words: ["K8", "kubernetes", "cluster"],
  });
  for (const same of ["", " , ", "K8"])
    expect(readAction("no-hits", "k8", form({ word: "k8", same }))).toHaveProperty("problem");
});

test.each([
  "",
  "docs/cache",
  "https://evil.example/docs",
  "/docs/../etc/passwd x",
  "/docs/a?q=1",
  "javascript:alert(1)",
])("3. %j is not a path", (path) => {
  const outcome = readAction("no-clicks", "turbo", form({ path }));
  expect("problem" in outcome && outcome.problem).toContain(`"${path}"`);
});
