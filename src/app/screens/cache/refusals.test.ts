/**
 * 1. A refusal at a tool's address is parsed with its status; no other event is, whatever its text. 2. A tool has the
 *    refusals of its own address, and of gRPC if it uses that. 3. Each kind has its advice.
 */
import { expect, test } from "vitest";
import type { LatestEvent } from "../overview/first-run.ts";
import { adviceFor, readRefusal, refusalsOf } from "./refusals.ts";
import { findTool } from "./tools.ts";

const event = (text: string | null, parts: Partial<LatestEvent> = {}): LatestEvent => ({
  id: "00000000001",
  at: "2026-11-20T14:30:12.000Z",
  kind: "refused.project",
  subject: null,
  project: null,
  by: null,
  by_id: null,
  text,
  refused: true,
  ...parts,
});

test("1. reading", () => {
  expect(readRefusal(event("403 /cache/gradle/ project token ci: project tokens may not"))).toMatchObject({
    status: 403,
    endpoint: "/cache/gradle/",
    text: "project token ci: project tokens may not",
  });
  expect(readRefusal(event("403 /cache/gradle/ a name\nof two lines"))?.text).toBe("a name\nof two lines");
  for (const text of [
    null,
    "",
    "project token ci: 403 /cache/gradle/ x",
    "403 /cache/ x",
    "200 /cache/go/ x",
  ])
    expect(readRefusal(event(text))).toBeNull();
  expect(readRefusal(event("403 /cache/gradle/ x", { refused: false }))).toBeNull();
});

test("2. of a tool", () => {
  const all = ["401 /cache/gradle/ a", "401 gRPC b", "401 /cache/bazel/ c"].flatMap(
    (text) => readRefusal(event(text)) ?? [],
  );
  const of = (tool: string) => refusalsOf(all, findTool(tool)!).map(({ text }) => text);
  expect([of("gradle"), of("bazel"), of("pants"), of("turbo")]).toEqual([["a"], ["b", "c"], ["b"], []]);
});

test("3. advice", () => {
  for (const kind of ["project", "none", "unknown", "user", "org", "job"]) {
    const [refusal] = refusalsOf([readRefusal(event("403 /cache/turbo/ x", { kind: `refused.${kind}` }))!], {
      id: "turbo",
    });
    expect(adviceFor(refusal!)?.text).toMatch(/^[A-Z].+\.$/);
  }
});
