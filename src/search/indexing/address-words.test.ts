/*
 * 1. The last part of the path is the name, without an extension; the parts before it are the path. Origin, query and
 *    anchor are neither.
 * 2. Any text is taken apart, and no word of the path is lost or made up.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { addressWords } from "./address-words.ts";

test.for([
  ["https://docs.example.com/docs/agents/claude-code.html#limits", "claude-code", "docs agents"],
  ["/guides/caf%C3%A9/", "café", "guides"],
  ["https://docs.example.com/?q=a/b#c/d", "", ""],
  ["https://docs.example.com", "", ""],
  ["reference/100%", "100%", "reference"],
  ["/meta.json", "meta.json", ""],
])("1. %s", ([address, name, path]) => {
  expect(addressWords(address!)).toEqual({ name, path });
});

test("2. nothing is lost", () => {
  const parts = fc.array(fc.stringMatching(/^[a-z\d_-]{1,8}$/), { minLength: 1 });
  fc.assert(
    fc.property(parts, (parts) => {
      const { name, path } = addressWords(`https://a.example/${parts.join("/")}?x#y`);
      expect([path, name].filter((text) => text !== "").join(" ")).toBe(parts.join(" "));
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void addressWords(text)));
});
