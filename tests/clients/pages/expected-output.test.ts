/**
 * 1. A line matches with other ids, times, secrets, codes, versions and widths of columns, and with no other change.
 * 2. All lines of a page must be printed, in their order.
 * 3. Steps of a build may appear in another order and with other numbers; the lines of one step may not.
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
  expect(matches("2026/11/21 10:02:11 Copying", "2027/01/02 03:04:05 Copying")).toBe(true);
  expect(matches("ui:build (2s 118ms, 7c1f09e2)", "ui:build (87ms, 0fc37766)")).toBe(true);
  expect(matches("ui:build (2s 118ms, 7c1f09e2)", "ui:build (cached, 0fc37766)")).toBe(false);
  expect(matches("15:02:44.10 tests succeeded in 1.31s.", "03:51:35.99 tests succeeded in 2s.")).toBe(true);
  expect(matches("gocache: hit 6b1e0f47 remote", "gocache: hit 6b1e0f4 local")).toBe(false);
  expect(matches('{"at":"2026-11-03T08:12:30Z"}', '{"at":"2026-11-22T18:00:00.123Z"}')).toBe(true);
});

test("2. order", () => {
  expect(findMissingLine(["a", "", "b"], "x\na\ny\nb\n")).toBe(null);
  expect(findMissingLine(["b", "a"], "a\nb\n")).toBe("a");
  expect(findMissingLine(["c"], "a\nb\n")).toBe("c");
});

test("3. steps of a build", () => {
  const page = ["#8 [2/3] WORKDIR /app", "#8 CACHED", "#9 [3/3] COPY a ./", "#9 DONE 0.0s", "succeeded"];
  const printed = (...lines: string[]) => findMissingLine(page, [...lines, "succeeded"].join("\n"));
  const workdir = ["#6 [2/3] WORKDIR /app", "#6 CACHED"];
  const copy = ["#5 [3/3] COPY a ./", "#5 DONE 1.2s"];
  expect(printed(...workdir, ...copy)).toBe(null);
  expect(printed(...copy, ...workdir)).toBe(null);
  expect(printed(copy[0]!, ...workdir, copy[1]!)).toBe(null);
  expect(printed(...workdir, copy[0]!, "#5 CACHED")).toBe("#9 DONE 0.0s");
  expect(printed(workdir[0]!, "#7 CACHED", ...copy)).toBe("#8 CACHED");
  expect(printed(copy[1]!, copy[0]!, ...workdir)).toBe("#9 DONE 0.0s");
  expect(findMissingLine(["#1 a", "end"], "end\n#1 a")).toBe("end");
});
