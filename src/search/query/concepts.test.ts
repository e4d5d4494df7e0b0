/*
 * A word of another trade, in documentation:
 * 1. Finds the words for what it means, if hardly any section has it; where it is, that comes first.
 * 2. A word that more sections have means itself.
 * 3. One way: the words that it means do not find it.
 */
import { expect, test } from "vitest";
import { buildIndex, openIndex, search } from "../index.ts";

const levels = ["lvl0", "lvl1"];
const hierarchy = { url: "url", levels, content: "content" };
const concepts = { ldap: ["saml", "identity provider"], agent: ["runner"] };

function find(texts: readonly string[], q: string) {
  const records = texts.map((content, id) => {
    return { objectID: String(id), url: `/p${id}`, lvl0: "Docs", lvl1: `Page ${id}`, content };
  });
  const index = openIndex(buildIndex(records, { hierarchy, concepts }));
  return search(index, { q }).hits.map(({ document }) => document["content"]);
}

const site = ["Sign in with saml here.", "Ask the identity provider.", "Images of a laptop."];

test("1. rare words", () => {
  expect(find(site, "ldap").toSorted()).toEqual([site[1], site[0]]);
  expect(find([...site, "No ldap."], "ldap")[0]).toBe("No ldap.");
  expect(find([...site, "No ldap."], "ldap")).toHaveLength(3);
});

test("2. words of the documents", () => {
  const agents = Array.from({ length: 5 }, (_, at) => `An agent, number ${at}.`);
  expect(find([...agents, "A runner."], "agent ")).toHaveLength(5);
  expect(find([...agents.slice(1), "A runner."], "agent ")).toHaveLength(5);
});

test("3. one way", () => {
  expect(find([...site, "No ldap."], "saml ")).toEqual([site[0]]);
});
