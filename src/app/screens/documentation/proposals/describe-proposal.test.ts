/** 1. Each proposal has a short name. 2. Synonyms and redirects become the action that saves them; a page becomes a command. */
import { expect, test } from "vitest";
import { actionOf, commandFor, describeProposal } from "./describe-proposal.ts";

const evidence = "3 readers then opened this page.";

test("1. names", () => {
  expect(describeProposal({ kind: "synonym", words: ["k8", "kubernetes"], evidence })).toBe(
    "Synonym: k8, kubernetes",
  );
  expect(describeProposal({ kind: "redirect", query: "k8", path: "/docs/k", evidence })).toBe(
    "Redirect: /docs/k",
  );
  expect(describeProposal({ kind: "page", title: "Carbon", evidence })).toBe("Write a page: Carbon");
  expect(describeProposal({ kind: "page", title: "", evidence })).toBe("Write a page");
});

test("2. actions", () => {
  expect(actionOf({ kind: "synonym", words: ["k8", "kubernetes"], evidence })).toEqual({
    kind: "synonym",
    words: ["k8", "kubernetes"],
  });
  expect(actionOf({ kind: "redirect", query: "k8", path: "/docs/k", evidence })).toEqual({
    kind: "redirect",
    query: "k8",
    path: "/docs/k",
  });
  expect(actionOf({ kind: "page", title: "Carbon", evidence })).toBeNull();
  expect(commandFor("Carbon")).toBe('npm run new-page -- --type guide --title "Carbon"');
  expect(commandFor("")).toBe("npm run new-page --");
});
