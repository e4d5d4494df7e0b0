/**
 * 1. Requests have their type's fields, and a retry is the same request. 2. Use and end of a token in words. 3. Every type
 *    that can be created describes its rights.
 */
import { expect, test } from "vitest";
import type { Token } from "#api/gen/json-types.ts";
import {
  describeEnd,
  describeRights,
  explainRights,
  isUnusedFor,
  suggestNames,
  toTokenRequest,
} from "./token-words.ts";

const NOW = Date.parse("2026-11-20T14:32:00Z");
const token = (parts: Partial<Token> = {}): Token => ({
  id: "tok_a2f0yt9cm0",
  name: "old Jenkins",
  type: "org",
  project_id: "",
  read_only: false,
  owner: "ben",
  created_at: "2026-01-01T00:00:00Z",
  last_used_from: "",
  ...parts,
});

test("1. requests", () => {
  const draft = {
    name: " deploy ",
    type: "project",
    projectId: "prj_7q4hx2n9ds",
    isReadOnly: true,
    expiry: "90",
    date: "",
  } as const;
  const request = toTokenRequest(draft, NOW);
  expect(request).toEqual({
    name: "deploy",
    type: "project",
    project_id: "prj_7q4hx2n9ds",
    read_only: true,
    expires_at: "2027-02-18T14:32:00.000Z",
  });
  expect(toTokenRequest(draft, NOW)).toEqual(request);
  expect(toTokenRequest({ ...draft, type: "org", expiry: "never" }, NOW)).toEqual({
    name: "deploy",
    type: "org",
    read_only: true,
  });
  const onDay = toTokenRequest(
    { ...draft, type: "user", isReadOnly: false, expiry: "date", date: "2027-02-18" },
    NOW,
  );
  expect(onDay.expires_at).toBe(new Date("2027-02-18T23:59:59").toISOString());
  expect(onDay).not.toHaveProperty("project_id");
});

test("2. use and end", () => {
  expect(isUnusedFor(token({ last_used_at: "2026-08-29T00:00:00Z" }), 30, NOW)).toBe(true);
  expect(isUnusedFor(token({ last_used_at: "2026-11-19T00:00:00Z" }), 30, NOW)).toBe(false);
  expect(isUnusedFor(token(), 30, NOW)).toBe(true);
  expect(isUnusedFor(token({ created_at: "2026-11-19T00:00:00Z" }), 30, NOW)).toBe(false);
  expect(describeEnd(token(), NOW)).toBe("never");
  expect(describeEnd(token({ type: "user" }), NOW)).toBe("90 d unused");
  expect(describeEnd(token({ expires_at: "2027-02-18T12:00:00Z" }), NOW)).toBe("18 Feb 2027");
  expect(describeEnd(token({ expires_at: "2026-02-18T12:00:00Z" }), NOW)).toBe("ended 18 Feb 2026");
});

test("3. rights", () => {
  const nameOf = () => "web";
  expect(describeRights(token(), nameOf)).toBe("builds, cache, sessions");
  expect(describeRights(token({ type: "project" }), nameOf)).toBe("pull and build web");
  expect(describeRights(token({ type: "user" }), nameOf)).toBe("what ben may");
  for (const type of ["user", "org"] as const)
    expect(describeRights(token({ type, read_only: true }), nameOf)).toBe("pull images, read cache");
  expect(describeRights(token({ type: "project", read_only: true }), nameOf)).toBe("pull web");
  const names = { organization: "acme", project: "web" };
  expect(explainRights({ type: "project", read_only: true }, names)).toBe(
    "May pull the images of web, and do nothing else.",
  );
  for (const type of ["user", "org", "project"] as const) {
    for (const read_only of [true, false])
      expect(explainRights({ type, read_only }, names)).toMatch(/^May .+\.$/);
    expect(explainRights({ type, read_only: true }, names)).toMatch(/ pull .+, and do nothing else\.$/);
    expect(suggestNames(type, "web").length).toBeGreaterThan(1);
  }
});
