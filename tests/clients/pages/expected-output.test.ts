/**
 * 1. A line matches with other ids, times, secrets, codes, versions and widths of columns, and with nothing else changed.
 * 2. All lines of a page must be printed, in their order.
 */
import { expect, test } from "vitest";
import { findMissingLine, linePattern } from "./expected-output.ts";

test("1. lines", () => {
  const matches = (page: string, printed: string) => linePattern(page).test(printed);
  expect(matches("tok_2m8xr5kq1v expires never", "tok_0000000000 expires never")).toBe(true);
  expect(matches("tok_2m8xr5kq1v expires never", "tok_2m8xr5kq1v expires 2027-01-01")).toBe(false);
  expect(matches("mr_org_…", "mr_org_abc")).toBe(true);
  expect(matches("web  (4 CPUs).", "web (4 CPUs).")).toBe(true);
  expect(matches("web  (4 CPUs).", "web (4 CPUs)!")).toBe(false);
  expect(
    matches("Open /device and enter the code WDJB-MJHT", "Open /device and enter the code BCDF-GHJK"),
  ).toBe(true);
  expect(matches("millrace 0.1.0", "millrace 1.20.3")).toBe(true);
  expect(matches('{"at":"2026-11-03T08:12:30Z"}', '{"at":"2026-11-22T18:00:00.123Z"}')).toBe(true);
});

test("2. order", () => {
  expect(findMissingLine(["a", "", "b"], "x\na\ny\nb\n")).toBe(null);
  expect(findMissingLine(["b", "a"], "a\nb\n")).toBe("a");
  expect(findMissingLine(["c"], "a\nb\n")).toBe("c");
});
