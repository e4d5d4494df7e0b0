/**
 * 1. A refused job is listed with the claim that differs and its project; several of one project are one line; a refusal
 *    is omitted if the same job succeeded since, or if it is from last week.
 * 2. Tokens that end within a week are listed; people's tokens (which end when unused) and later ones are not.
 * 3. Tokens unused for 60 days are listed, counted from their creation when they were never used; ended ones are not.
 * 4. A single owner is listed as soon as there is someone to choose from; an owner without passkey, by name or as "you".
 * 5. Members see nothing about owners. Data that was not read yet causes no entry.
 * 6. Branches whose newest build failed within a week come first, three at most, with the first words of the error.
 */
import { expect, test } from "vitest";
import type { Build, Exchange, Member, Token } from "#api/gen/json-types.ts";
import { findNeedsALook, type LookInput } from "./needs-a-look.ts";

const DAY = 86_400_000;
const now = Date.parse("2026-11-20T14:32:00Z");
const ago = (days: number) => new Date(now - days * DAY).toISOString();

const look = (parts: Partial<LookInput>) =>
  findNeedsALook({
    now,
    userId: "usr_ada",
    isOwner: true,
    projectNames: new Map([["prj_web", "web"]]),
    ...parts,
  });

const exchange = (parts: Partial<Exchange>): Exchange => ({
  id: "exc_1",
  time: ago(0.1),
  project_id: "prj_web",
  issuer: "https://token.actions.githubusercontent.com",
  subject: "repo:acme/web:pull_request",
  claims: {},
  refused_because: "The claim ref differs.",
  differences: [
    {
      claim: "ref",
      wanted: "refs/heads/main",
      got: "refs/pull/418/merge",
      matches: false,
      is_missing: false,
    },
  ],
  token_id: "",
  address: "",
  ...parts,
});

const given = (parts: Partial<Exchange> = {}) => exchange({ refused_because: "", differences: [], ...parts });

const token = (parts: Partial<Token>): Token => ({
  id: "tok_1",
  name: "deploy-bot",
  type: "org",
  project_id: "",
  read_only: false,
  owner: "ada",
  created_at: ago(10),
  last_used_at: ago(1),
  last_used_from: "",
  ...parts,
});

const member = (id: string, role: string, methods: string[] = ["passkey"]): Member => ({
  user_id: id,
  name: id.slice(4),
  mail: "",
  role,
  sign_in_methods: methods,
  two_step: false,
});

const titles = (parts: Partial<LookInput>) => look(parts).map(({ title }) => title);

test("1. refused jobs", () => {
  expect(look({ exchanges: [exchange({})] })).toEqual([
    expect.objectContaining({
      title: "A job of web was refused a token",
      detail: "ref is refs/pull/418/merge, not refs/heads/main",
      to: "projects/web?row=exc_1",
    }),
  ]);
  expect(titles({ exchanges: [exchange({}), exchange({ id: "exc_0", subject: "other" })] })).toEqual([
    "2 jobs of web were refused a token",
  ]);
  expect(titles({ exchanges: [given(), exchange({})] })).toEqual([]);
  expect(titles({ exchanges: [exchange({}), given()] })).toHaveLength(1);
  expect(titles({ exchanges: [exchange({ time: ago(8) })] })).toEqual([]);
  const missing = exchange({
    differences: [{ claim: "environment", wanted: "production", got: "", matches: false, is_missing: true }],
  });
  expect(look({ exchanges: [missing] })[0]?.detail).toBe("environment is missing; expected production");
});

test("2. tokens that end", () => {
  expect(titles({ tokens: [token({ expires_at: ago(-3) })] })).toEqual([
    "The token deploy-bot expires in 3 days",
  ]);
  expect(titles({ tokens: [token({ expires_at: ago(-0.5) })] })).toEqual([
    "The token deploy-bot expires within a day",
  ]);
  expect(
    titles({ tokens: [token({ expires_at: ago(-3) }), token({ id: "tok_2", expires_at: ago(-2) })] }),
  ).toEqual(["2 tokens expire within 7 days"]);
  expect(
    titles({ tokens: [token({ expires_at: ago(-8) }), token({ type: "user", expires_at: ago(-1) })] }),
  ).toEqual([]);
});

test("3. tokens without use", () => {
  expect(look({ tokens: [token({ last_used_at: ago(60) })] })[0]).toMatchObject({
    title: "The token deploy-bot has been unused for 60 days",
    to: "settings/tokens?row=tok_1",
  });
  const { last_used_at: _, ...never } = token({ created_at: ago(61) });
  expect(titles({ tokens: [never, token({ id: "tok_2", last_used_at: ago(70) })] })).toEqual([
    "2 tokens have been unused for 60 days",
  ]);
  expect(
    titles({
      tokens: [token({ last_used_at: ago(59) }), token({ last_used_at: ago(80), expires_at: ago(1) })],
    }),
  ).toEqual([]);
});

test("4. owners", () => {
  expect(titles({ members: [member("usr_ada", "owner")] })).toEqual([]);
  expect(titles({ members: [member("usr_ada", "owner"), member("usr_ben", "member")] })).toEqual([
    "You are the only owner",
  ]);
  expect(
    titles({ members: [member("usr_ruth", "owner", ["mail"]), member("usr_ada", "owner", [])] }),
  ).toEqual([
    "ruth has neither a passkey nor two-step sign-in",
    "You have neither a passkey nor two-step sign-in",
  ]);
  // A mailbox alone cannot sign this person in.
  const ada = { ...member("usr_ada", "owner", ["mail"]), two_step: true };
  expect(titles({ members: [ada, member("usr_ruth", "owner")] })).toEqual([]);
});

test("5. members, and what is not read", () => {
  expect(titles({ isOwner: false, members: [member("usr_ruth", "owner", [])] })).toEqual([]);
  expect(titles({})).toEqual([]);
});

// Only the fields that are shown.
const failedBuild = (branch: string, days = 0.1) =>
  ({
    id: `bld_${branch}`,
    project: "web",
    project_id: "prj_web",
    branch,
    state: "failed",
    created_at: ago(days),
    labels: { title: `Change ${branch}` },
    error: "exit code: 1\nmore",
  }) as unknown as Build;

test("6. failed builds", () => {
  const builds = ["a", "b", "c", "d"].map((branch) => failedBuild(branch));
  const [first, ...others] = look({ builds, exchanges: [exchange({})] });
  expect(first).toMatchObject({
    kind: "build",
    title: "web: Change a",
    detail: "exit code: 1 more",
    to: "builds/bld_a",
  });
  expect(others.map(({ kind }) => kind)).toEqual(["build", "build", "refused"]);
  expect(titles({ builds: [failedBuild("old", 8)] })).toEqual([]);
});
