/**
 * 1. Names match from the first letters of their words, in any order of the words; the whole name is first, then names
 *    that begin with it, then words, then pieces of three letters.
 * 2. Ids match from four characters, and come before names.
 * 3. Groups keep their order; among others a group shows six, alone thirty.
 * 4. `>` finds commands only, and all of them when nothing follows.
 * 5. Hostile names (markup, right-to-left, letters whose lower case is longer) are found and marked without an error.
 * 6. Of 10,000 projects the right one is found, and never more than a page of them is returned.
 */
import { expect, test } from "vitest";
import type { Entry } from "./entries.ts";
import { findEntries, indexEntries, marksOf } from "./find-entries.ts";

const project = (label: string, id = "prj_0000000000"): Entry => ({
  key: `project ${label}`,
  group: "Projects",
  label,
  id,
  icon: "folderGit",
  to: "/app/acme",
});
const command = (label: string, words = ""): Entry => ({
  key: `run ${label}`,
  group: "Settings and places",
  label,
  words,
  icon: "plus",
  isCommand: true,
});

const labels = (entries: readonly Entry[], text: string, isCommandsOnly = false) =>
  findEntries(indexEntries(entries), text, { isCommandsOnly }).flatMap((found) =>
    found.entries.map(({ label }) => label),
  );

test("1. names", () => {
  const names = ["shop-web", "web", "cobweb", "web-shop", "api"].map((name) => project(name));
  expect(labels(names, "web")).toEqual(["web", "web-shop", "shop-web", "cobweb"]);
  expect(labels(names, "we")).toEqual(["web", "web-shop", "shop-web"]);
  expect(labels(names, "WEB sho")).toEqual(["shop-web", "web-shop"]);
  expect(labels(names, "bwe")).toEqual(["cobweb"]);
  expect(labels(names, "zz")).toEqual([]);
  expect(labels([command("Sign out", "leave log off")], "log")).toEqual(["Sign out"]);
});

test("2. ids", () => {
  const entries = [project("prj_7", "prj_9"), project("web", "prj_7q4hx2n9ds")];
  expect(labels(entries, "prj_7q")).toEqual(["web"]);
  expect(labels(entries, "PRJ_7")).toEqual(["prj_7", "web"]);
  expect(labels([project("web", "prj_7q4hx2n9ds")], "prj")).toEqual([]);
});

test("3. groups", () => {
  const many = Array.from({ length: 50 }, (_, index) => project(`web-${index}`));
  const found = findEntries(indexEntries([command("Web console"), ...many]), "web");
  expect(found.map(({ group, entries }) => [group, entries.length])).toEqual([
    ["Projects", 6],
    ["Settings and places", 1],
  ]);
  expect(labels(many, "web")).toHaveLength(30);
});

test("4. commands", () => {
  const entries = [project("sign"), command("Sign out"), command("New token")];
  expect(labels(entries, "si", true)).toEqual(["Sign out"]);
  expect(labels(entries, "", true)).toEqual(["Sign out", "New token"]);
  expect(labels(entries, "")).toEqual([]);
});

test("5. hostile names", () => {
  const names = ["<b>Bold</b>", "‮evil‬ مهندس", "İstanbul-İ", "W".repeat(200)];
  const entries = names.map((name) => project(name));
  expect(labels(entries, "bold")).toEqual(["<b>Bold</b>"]);
  expect(labels(entries, "مهن")).toEqual(["‮evil‬ مهندس"]);
  expect(labels(entries, "www")).toHaveLength(1);
  expect(labels(entries, "(.*")).toEqual([]);
  expect(marksOf("<b>Bold</b>", "bold b")).toEqual([
    [1, 2],
    [3, 7],
  ]);
  expect(marksOf("İstanbul", "st")).toEqual([]);
  expect(marksOf("shop-web", "web shop web")).toEqual([
    [0, 4],
    [5, 8],
  ]);
});

test("6. ten thousand", () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    project(`service-${index}`, `prj_${index}abcdefg`),
  );
  const index = indexEntries(many);
  expect(findEntries(index, "9876")[0]?.entries[0]?.label).toBe("service-9876");
  expect(findEntries(index, "service")[0]?.entries).toHaveLength(30);
  // The best matches are found after thousands of worse ones.
  const late = [...many, project("x service"), project("service")];
  expect(labels(late, "service").slice(0, 2)).toEqual(["service", "service-0"]);
  expect(labels([...many, project("9999 x")], "9").slice(0, 2)).toEqual(["9999 x", "service-9"]);
});
