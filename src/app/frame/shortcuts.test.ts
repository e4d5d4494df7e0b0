/**
 * 1. Ctrl K and ⌘ K open the command menu everywhere, even in fields and with single keys off.
 * 2. The page's actions and the frame's own keys act outside of fields and dialogs, without a modifier.
 * 3. After G a letter opens only its place; places that the person may not see have no key.
 * 4. Turned off, no single key acts.
 * 5. The list shows the keys that work here, and every key in it acts.
 */
import { expect, test } from "vitest";
import { type KeyContext, type KeyPress, actOf, keyGroups, placesFor } from "./shortcuts.ts";

const press = (key: string, parts: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...parts,
});
const action = { label: "New token", icon: "plus", shortcut: "N", run: () => {} } as const;
const context = (parts: Partial<KeyContext> = {}): KeyContext => ({
  actions: [action],
  places: placesFor(false, true),
  isTaken: false,
  isAfterG: false,
  isOff: false,
  ...parts,
});

test("1. the command menu", () => {
  for (const modifier of ["ctrlKey", "metaKey"])
    for (const parts of [{}, { isTaken: true }, { isOff: true }])
      expect(actOf(press("k", { [modifier]: true }), context(parts))).toEqual({ kind: "command-menu" });
  expect(actOf(press("k"), context())).toBeNull();
});

test("2. single keys", () => {
  expect(actOf(press("n"), context())).toEqual({ kind: "action", action });
  expect(["/", "y", "?", "g"].map((key) => actOf(press(key), context())?.kind)).toEqual([
    "search",
    "copy-link",
    "keys",
    "places",
  ]);
  for (const key of ["n", "/", "y", "?", "g"]) {
    expect(actOf(press(key), context({ isTaken: true }))).toBeNull();
    expect(actOf(press(key, { ctrlKey: true }), context())).toBeNull();
    expect(actOf(press(key, { altKey: true }), context())).toBeNull();
  }
  expect(["constructor", "__proto__", "Enter"].map((key) => actOf(press(key), context()))).toEqual([
    null,
    null,
    null,
  ]);
});

test("3. places", () => {
  const go = (key: string, places = placesFor(false, true)) => {
    const act = actOf(press(key), context({ isAfterG: true, places }));
    return act?.kind === "place" ? act.place.label : act;
  };
  expect(["o", "p", "u", "s"].map((key) => go(key))).toEqual(["Overview", "Projects", "Usage", "Settings"]);
  expect([go("n"), go("d"), go("d", placesFor(true, true)), go("o", placesFor(true, false))]).toEqual([
    null,
    null,
    "Documentation",
    null,
  ]);
});

test("4. off", () => {
  for (const key of ["n", "/", "y", "?", "g"]) expect(actOf(press(key), context({ isOff: true }))).toBeNull();
});

test("5. the list", () => {
  const places = placesFor(true, true);
  const groups = keyGroups({ actions: [action], places, hasSearch: true, hasTable: false });
  expect(groups.map(({ title }) => title)).toEqual(["This page", "Everywhere", "Go to"]);
  const single = groups.slice(0, 2).flatMap(({ rows }) => rows.flatMap(({ keys }) => keys));
  for (const key of single.filter((each) => each.length === 1))
    expect(actOf(press(key), context())).not.toBeNull();
  for (const { keys } of groups[2]?.rows ?? [])
    expect(actOf(press(keys[1] ?? ""), context({ isAfterG: true, places }))?.kind).toBe("place");
  const bare = keyGroups({ actions: [], places: [], hasSearch: false, hasTable: true });
  expect(bare.map(({ title }) => title)).toEqual(["Everywhere", "Table"]);
});
