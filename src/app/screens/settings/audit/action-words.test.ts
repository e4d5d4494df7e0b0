/**
 * 1. Every action that the server's code records has words. 2. Unknown and hostile values are shown unchanged.
 * 3. The target's words contain the details' figures.
 */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ACTION_OPTIONS, describeAction, describeMeans, describeTarget } from "./action-words.ts";

const sources = new URL("../../../../", import.meta.url).pathname;

test("1. every action", () => {
  const written = new Set<string>();
  for (const file of globSync("{accounts,cache,registry}/**/*.ts", { cwd: sources })) {
    if (/test/.test(file)) continue;
    const code = readFileSync(sources + file, "utf8");
    for (const [call] of code.matchAll(/(?:audit|note)\((?:accounts, caller, )?\{[^]*?\}\)/g))
      for (const [, action] of call.matchAll(/"([a-z-]+\.[a-z]+)"/g)) written.add(action ?? "");
  }
  expect(written.size).toBeGreaterThan(15);
  expect([...written]).toEqual(expect.arrayContaining(["mirror.login", "mirror.logout"]));
  const known = new Set(ACTION_OPTIONS.map(({ value }) => value));
  expect([...written].filter((action) => !known.has(action))).toEqual([]);
});

const event = (action: string, details: Record<string, string> = {}, target = "ruth") => ({
  id: "aud_1",
  action,
  actor: "ada",
  actor_id: "usr_ada0000000",
  target,
  target_id: "usr_ruth000000",
  address: "10.0.4.17",
  details,
});

test("2. unknown ones", () => {
  expect(describeAction(event("moon.land"))).toEqual({ did: "moon.land", tone: "plain" });
  expect(describeAction(event("constructor"))).toEqual({ did: "constructor", tone: "plain" });
  expect(describeTarget(event("moon.land", { a: "b" }, "<b>moon</b>"))).toBe("<b>moon</b>");
});

test("3. words", () => {
  expect(describeTarget(event("member.update", { former: "member", role: "owner" }))).toBe(
    "ruth, member → owner",
  );
  expect(describeTarget(event("token.create", { type: "project" }, "deploy"))).toBe("deploy, mr_prj_");
  expect(describeAction(event("token.create", { type: "job" })).did).toBe("exchanged OIDC token");
  expect(describeAction(event("token.refuse")).tone).toBe("failed");
  expect(describeAction(event("project.delete")).tone).toBe("deleted");
  expect(describeTarget(event("project.update", { cache_size_bytes: "5" }, "web"))).toBe(
    "web, cache size bytes 5",
  );
  const immutable = (immutable_tags: string) => event("project.update", { immutable_tags }, "web");
  expect(describeTarget(immutable('["2026.*","v*"]'))).toBe("web, immutable tags 2026.* v*");
  expect(describeTarget(immutable("none"))).toBe("web, immutable tags none");
  expect(describeTarget(event("mirror.login", { username: "acme" }, "ghcr.io"))).toBe("ghcr.io, as acme");
  expect(describeAction(event("mirror.logout")).tone).toBe("deleted");
  expect(describeTarget(event("project.trust", { issuers: "https://gitlab.com" }, "web"))).toBe(
    "web, gitlab.com",
  );
  expect(describeTarget(event("project.trust", { issuers: "" }, "web"))).toBe("web, none left");
  expect(describeMeans({ actor_id: "https://gitlab.com", details: {} })).toBe("job at gitlab.com");
  expect(describeMeans({ actor_id: "tok_1", details: {} })).toBe("organization token");
});
