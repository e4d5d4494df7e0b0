/**
 * 1. A typed code takes the terminal's form. 2. Names that the server would refuse are refused before sending; typed names
 *    become valid ones. 3. Times: left, since, of day.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Refusal } from "../data/ask-server.ts";
import { isWholeCode, normalizeCode, spellCode } from "./device-code.ts";
import { asOrganizationName, checkOrganization, checkPerson, errorsOf, personBody } from "./person-form.ts";
import { formatLeft, formatSince, formatTime } from "./times.ts";

test.each([
  ["wdjb mjht", "WDJB-MJHT"],
  ["WDJBMJHT", "WDJB-MJHT"],
  [" wdjb–mjht\n", "WDJB-MJHT"],
  ["wdjb", "WDJB"],
  ["wdjbm", "WDJB-M"],
  ["WDJB-MJHT-AND-MORE", "WDJB-MJHT"],
  ["<b>", "B"],
  ["", ""],
])("1. %j is %j", (typed, code) => {
  expect(normalizeCode(typed)).toBe(code);
});

test("1. any text", () => {
  fc.assert(
    fc.property(fc.string(), (typed) => {
      const code = normalizeCode(typed);
      expect(code).toMatch(/^(?:[A-Z0-9]{0,4}|[A-Z0-9]{4}-[A-Z0-9]{1,4})$/);
      expect(normalizeCode(code)).toBe(code);
      expect(isWholeCode(code)).toBe(code.length === 9);
    }),
  );
  expect(spellCode("WDJB-MJHT")).toBe("W D J B, M J H T");
});

test("2. organizations", () => {
  for (const name of ["acme", "a", "acme-labs", "0", "a".repeat(39)])
    expect(checkOrganization(name)).toBeUndefined();
  for (const name of ["", "-a", "a-", "a--b", "Acme", "a_b", "ä", "a b", "a".repeat(40)])
    expect(checkOrganization(name), name).toMatch(/\.$/);
  expect(asOrganizationName("Acme Labs")).toBe("acme-labs");
});

test("2. people", () => {
  const named = { name: "Ada", mail: "" };
  expect(checkPerson(named, false)).toEqual({});
  expect(Object.keys(checkPerson(named, true))).toEqual(["mail"]);
  expect(Object.keys(checkPerson({ name: " ", mail: "no address" }, false))).toEqual(["name", "mail"]);
  expect(personBody({ name: " Ada ", mail: " " })).toEqual({ name: "Ada" });
  expect(personBody({ name: "Ada", mail: " a@b " })).toEqual({ name: "Ada", mail: "a@b" });
  expect(errorsOf({}, new Refusal("already_exists", "taken", "mail"))).toEqual({ mail: "taken" });
  expect(errorsOf({ mail: "own" }, new Refusal("already_exists", "taken", "mail"))).toEqual({ mail: "own" });
  expect(errorsOf({}, new Refusal("unavailable", "away"))).toEqual({});
});

test("3. times", () => {
  const now = Date.parse("2026-11-20T14:32:00Z");
  expect(formatLeft("2026-11-20T14:46:48Z", now)).toBe("14:48");
  expect(formatLeft("2026-11-20T14:31:00Z", now)).toBe("0:00");
  expect(formatSince("2026-11-20T14:31:48Z", now)).toBe("12 seconds ago");
  expect(formatSince("2026-11-20T14:31:59Z", now)).toBe("1 second ago");
  expect(formatSince("2026-11-20T14:30:00Z", now)).toBe("2 minutes ago");
  // Clocks differ.
  for (const at of ["2026-11-20T14:33:00Z", "no time"]) expect(formatSince(at, now)).toBe("now");
  expect(formatTime(undefined, now)).toBe("");
  expect(formatTime("2026-11-20T14:31:00Z", now)).toMatch(/^\d\d:\d\d$/);
  expect(formatTime("2026-11-01T14:31:00Z", now)).toMatch(/Nov 2026/);
});
