/**
 * 1. Providers are recognized by their issuer, relationships have their short name. 2. Presets are never too wide once
 *    their claims have values; relationships that are too wide are reported. 3. Tests in sentences. 4. Exchanges belong to
 *    the relationship that they fulfil or come nearest to.
 */
import { expect, test } from "vitest";
import type { ClaimCheck, Exchange, TrustTest } from "#api/gen/json-types.ts";
import { countExchanges } from "./count-exchanges.ts";
import { nameRelationship, PROVIDERS, providerOf } from "./providers.ts";
import { explainRefusal, summarizeTests } from "./test-words.ts";
import { findWidth } from "./too-wide.ts";

const GITHUB = "https://token.actions.githubusercontent.com";

test("1. names", () => {
  for (const { id, issuer } of PROVIDERS) expect(providerOf(issuer)?.id).toBe(id);
  expect(nameRelationship({ issuer: GITHUB, claims: { repository: "acme/web" } })).toBe("github:acme/web");
  expect(
    nameRelationship({
      issuer: "https://agent.buildkite.com",
      claims: { organization_slug: "acme", pipeline_slug: "web" },
    }),
  ).toBe("buildkite:acme/web");
  expect(nameRelationship({ issuer: "https://gitlab.acme.example", claims: { project_path: "a/b" } })).toBe(
    "gitlab.acme.example:a/b",
  );
  expect(nameRelationship({ issuer: "nonsense", claims: {} })).toBe("nonsense");
});

test("2. width", () => {
  for (const provider of PROVIDERS) {
    const issuer = provider.id === "circleci" ? `${provider.issuer}5d1c` : provider.issuer;
    const filled = Object.fromEntries(provider.claims.map((name) => [name, "x"]));
    expect(findWidth({ issuer, claims: filled, cache: "read" }), provider.id).toBeNull();
    expect(findWidth({ issuer, claims: filled, cache: "write" })?.isOpen, provider.id).toBe(false);
  }
  const owner = findWidth({ issuer: GITHUB, claims: { repository_owner_id: "1" }, cache: "read" });
  expect(owner?.title).toBe("Every repository of this owner would get a token.");
  expect(findWidth({ issuer: GITHUB, claims: { repository: "" }, cache: "read" })?.isOpen).toBe(true);
});

const check = (parts: Partial<ClaimCheck>): ClaimCheck => ({
  claim: "ref",
  wanted: "refs/heads/main",
  got: "refs/heads/main",
  matches: true,
  is_missing: false,
  ...parts,
});
const tried = (matches: boolean): TrustTest => ({ exchange_id: "x", subject: "s", matches, checks: [] });

test("3. sentences", () => {
  const times = (count: number, matches: boolean) => Array.from({ length: count }, () => tried(matches));
  expect(summarizeTests([...times(9, true), tried(false)], "web")).toMatchObject({
    tone: "ok",
    title: "9 of the last 10 jobs would get a token.",
    text: "This one would not:",
  });
  expect(summarizeTests(times(3, true), "web").title).toBe("All of the last 3 jobs would get a token.");
  expect(summarizeTests(times(3, false), "web")).toMatchObject({
    tone: "warn",
    title: "None of the last 3 jobs would get a token.",
  });
  expect(summarizeTests([tried(false)], "web").title).toBe("The last job would not get a token.");
  expect(summarizeTests([], "web").title).toBe("Nothing to try it on yet.");
  expect(explainRefusal([check({})])).toBe("");
  expect(explainRefusal([check({ got: "refs/pull/418/merge", matches: false })])).toContain("pull requests");
  expect(explainRefusal([check({ is_missing: true, got: "", matches: false })])).toContain(
    "make its token include ref",
  );
  expect(explainRefusal([check({ claim: "iss", matches: false })])).toContain("another provider");
  expect(explainRefusal([check({ claim: "aud", matches: false })])).toContain("audience");
  expect(explainRefusal([check({ matches: false, got: "Refs/heads/Main" })])).toContain(
    "upper and lower case",
  );
  expect(
    explainRefusal([check({ matches: false, got: "a" }), check({ claim: "b", matches: false })]),
  ).toContain("remove ref and b");
});

test("4. exchanges", () => {
  const now = Date.parse("2026-11-20T14:32:00Z");
  const relationship = (claims: Record<string, string>) => ({ issuer: GITHUB, claims, cache: "read" });
  const exchange = (claims: Record<string, string>, parts: Partial<Exchange> = {}): Exchange => ({
    id: "x",
    time: "2026-11-20T12:00:00Z",
    project_id: "prj_1",
    issuer: GITHUB,
    subject: "",
    claims,
    refused_because: "",
    differences: [],
    token_id: "",
    address: "",
    ...parts,
  });
  const both = [relationship({ repository: "a/b" }), relationship({ repository: "a/c", ref: "main" })];
  expect(
    countExchanges(
      both,
      [
        exchange({ repository: "a/b" }),
        exchange({ repository: "a/c", ref: "x" }, { refused_because: "ref differs" }),
        exchange({ repository: "a/b" }, { time: "2026-10-01T00:00:00Z" }),
        exchange({ repository: "a/b" }, { issuer: "https://gitlab.com" }),
      ],
      now,
    ),
  ).toEqual([
    { given: 1, refused: 0, isCut: false },
    { given: 0, refused: 1, isCut: false },
  ]);
});
