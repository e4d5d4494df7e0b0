/** 1. The CLI's packages and the server's setup have the same buildx. */
import { expect, test } from "vitest";
import { BUILDX_VERSION as inPackages } from "../cli/pack.ts";
import { BUILDX_VERSION } from "../src/builds/index.ts";

test("1. buildx", () => {
  expect(inPackages).toBe(BUILDX_VERSION);
});
