/**
 * 1. A policy allows exactly the template's inline scripts, and no attributes that run code.
 * 2. A page's policy is its template's policy, whatever the page contains.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { contentSecurityPolicy, inlineScriptsOf } from "./page-policy.ts";
import { pagePolicy } from "./site-handler.ts";

const hashOf = (code: string) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`;

test("1. the template's scripts and no other", () => {
  const policy = contentSecurityPolicy(["a()", "b()"]);
  expect(policy).toContain(`script-src 'self' ${hashOf("a()")} ${hashOf("b()")}; script-src-attr 'none';`);
  expect(contentSecurityPolicy([])).toContain("script-src 'self'; ");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
});

test("1. the application's templates have the theme's script in common; the frame has its own", () => {
  const read = (name: string) => readFileSync(new URL(`../../app/${name}.html`, import.meta.url), "utf8");
  const [gate, frame] = ["index", "frame"].map((name) =>
    // Inserted like in the build.
    inlineScriptsOf(read(name).replace("<!-- head.html -->", read("head"))),
  );
  expect(gate).toHaveLength(1);
  expect(gate?.[0]).toContain("localStorage.theme");
  expect(frame?.[0]).toEqual(gate?.[0]);
  expect(frame?.slice(1)).toEqual([
    expect.stringContaining("could not be loaded"),
    expect.stringContaining('fetch("/auth/state"'),
  ]);
});

test("2. what is rendered does not come into the policy", () => {
  fc.assert(
    fc.property(fc.string(), (rendered) => {
      const build = { entry: { module: { inlineScripts: ["early()"], default: () => rendered } } };
      const policy = pagePolicy(build as unknown as Parameters<typeof pagePolicy>[0]);
      expect(policy).toBe(contentSecurityPolicy(["early()"]));
    }),
  );
});
