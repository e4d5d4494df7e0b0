/** 1. A build's date is SOURCE_DATE_EPOCH if it is a valid time, otherwise the clock's. */
import { expect, test } from "vitest";
import { buildTime } from "./build-time.ts";

test("1. the commit's time", () => {
  expect(buildTime({ SOURCE_DATE_EPOCH: "1795768776" }).toISOString()).toBe("2026-11-27T08:39:36.000Z");
  const before = Date.now();
  for (const value of [undefined, "", "yesterday", "-1", "1e3", "9".repeat(40)]) {
    const environment = value === undefined ? {} : { SOURCE_DATE_EPOCH: value };
    expect(buildTime(environment).getTime()).toBeGreaterThanOrEqual(before);
  }
});
