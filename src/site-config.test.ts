/**
 * 1. The configuration that is shipped is valid.
 * 2. All problems are reported together, each with its place.
 */
import { expect, test } from "vitest";
import { siteConfig } from "#config";
import { parseSiteConfig } from "./site-config.ts";

test("1. the shipped configuration is valid", () => {
  expect(parseSiteConfig(siteConfig)).toEqual(siteConfig);
});

test("2. problems are reported together, with their places", () => {
  const broken = {
    ...siteConfig,
    name: "",
    footer: [{ label: "Evil", to: "javascript:alert(1)" }],
    search: { ...siteConfig.search, provider: "google" },
  };
  expect(() => parseSiteConfig(broken)).toThrow(
    /3 problem\(s\):\n {2}name: .*\n {2}footer\.0\.to: must be a path .* or an https:.*\n {2}search\.provider: /,
  );
});
