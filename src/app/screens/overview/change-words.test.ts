/**
 * 1. Each action that the code audits is told in words, with what it was done to.
 * 2. An action that this page does not know is told by its name.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { AuditEvent } from "#api/gen/json-types.ts";
import { describeAuditEvent } from "./change-words.ts";

const event = (action: string, details: AuditEvent["details"] = {}): AuditEvent => ({
  id: "1",
  action,
  actor: "ada",
  actor_id: "usr_ada",
  target: "staging",
  target_id: "tok_1",
  address: "10.0.4.17",
  details,
});

const accounts = join(import.meta.dirname, "../../../accounts");

test("1. every audited action", () => {
  const code = readdirSync(accounts, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.includes("test"))
    .map((file) => readFileSync(join(accounts, file), "utf8"))
    .join("\n");
  const actions = new Set(
    [...code.matchAll(/audit\(\{[^}]*?action: "([a-z-]+\.[a-z-]+)"/g)].map(([, action]) => action),
  );
  expect(actions.size).toBeGreaterThan(10);
  const unknown = [...actions].filter((action = "") => describeAuditEvent(event(action)).includes(action));
  expect(unknown).toEqual([]);
  expect(describeAuditEvent(event("token.create"))).toBe("created the token staging");
  expect(describeAuditEvent(event("member.update", { role: "owner" }))).toBe("made staging an owner");
});

test("2. an action of tomorrow", () => {
  expect(describeAuditEvent(event("build.cancel"))).toBe("build.cancel staging");
});
