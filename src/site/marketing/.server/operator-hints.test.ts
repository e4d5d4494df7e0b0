/** 1. Each missing setting is named with its key in `site.config.ts`. 2. Existing settings are not mentioned. */
import { siteConfig } from "#config";
import { expect, test } from "vitest";
import { operatorHints } from "./operator-hints.ts";

test("1. the shipped configuration leaves five things open", () => {
  const keys = operatorHints(siteConfig).map((hint) => /`([\w.]+)[:`]/.exec(hint)?.[1]);
  expect(keys).toEqual(["community", "social", "trust.securityContact", "trust.soc", "trust.funding"]);
});

test("2. what is set is not mentioned", () => {
  const set = {
    ...siteConfig,
    community: { label: "Chat", link: "https://chat.example/", countUrl: null },
    social: [{ label: "Code", to: "https://code.example/", icon: "github" }],
    trust: { soc: false, funding: false, securityContact: "mailto:security@acme.example" },
  };
  expect(operatorHints(set)).toEqual([]);
});
