/**
 * 1. The record of an entry is found again, part by part, and after a reload.
 * 2. Fifty entries are kept; the one changed longest ago is forgotten.
 * 3. A storage that is full, forbidden or holds something else does no harm.
 */
import { expect, test } from "vitest";
import { emptyRecord, MAX_PLACES, PlaceMemory } from "./place-memory.ts";

const storage = (text: string | null = null) => {
  const kept = { text };
  return {
    getItem: () => kept.text,
    setItem: (_key: string, value: string) => {
      kept.text = value;
    },
  };
};

test("1. found again", () => {
  const store = storage();
  const memory = new PlaceMemory(store);
  expect(memory.find("a")).toBeUndefined();
  memory.change("a", { page: { top: 120, left: 0 } });
  memory.change("a", { focus: "#new" });
  memory.keep();
  for (const each of [memory, new PlaceMemory(store)])
    expect(each.find("a")).toEqual({ page: { top: 120, left: 0 }, inner: {}, focus: "#new" });
});

test("2. a limit", () => {
  const memory = new PlaceMemory();
  for (let index = 0; index < MAX_PLACES; index++) memory.change(String(index), {});
  memory.change("0", {});
  memory.change("new", {});
  expect([memory.find("0"), memory.find("1"), memory.find("new")]).toEqual([
    emptyRecord(),
    undefined,
    emptyRecord(),
  ]);
});

test("3. a bad storage", () => {
  const refuse = () => {
    throw new Error("forbidden");
  };
  new PlaceMemory({ getItem: refuse, setItem: refuse }).keep();
  for (const text of ["{", "null", "7", '{"a":1}', '[["a",7]]', "[1]"]) {
    const memory = new PlaceMemory(storage(text));
    expect(memory.find("a")).toBeUndefined();
    memory.change("a", {});
    expect(memory.find("a")).toEqual(emptyRecord());
  }
});
