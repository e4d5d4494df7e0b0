/**
 * 1. A change invalidates the lists that show it, and the audit log; a refusal none; an unknown kind all of them.
 * 2. The first change is read immediately, changes of the next second together after it, and nothing when there are none.
 */
import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { createInvalidator, nounsOf } from "./live-queries.ts";

test("1. what a change makes old", () => {
  expect(nounsOf("token.create")).toEqual(expect.arrayContaining(["tokens", "first-run", "audit"]));
  expect(nounsOf("invitation.accept")).toEqual(expect.arrayContaining(["members", "invitations"]));
  expect(nounsOf("member.remove")).toContain("organizations");
  expect(nounsOf("image.push")).toEqual(["images", "usage", "audit"]);
  expect(nounsOf("project.update")).toContain("images");
  expect(nounsOf("refused.project")).toEqual([]);
  expect(nounsOf("constructor")).toBe("everything");
  expect(nounsOf("something.new")).toBe("everything");
});

test("2. at most once a second", () => {
  const client = new QueryClient();
  const keys = [["tokens", "acme"], ["members", "acme"], ["projects", "acme"], ["unknown"]];
  for (const key of keys) client.setQueryData(key, []);
  const takeOld = () => {
    const old = keys.filter((key) => client.getQueryState(key)?.isInvalidated).map(([noun]) => noun);
    for (const key of keys) client.setQueryData(key, []);
    return old;
  };
  const timers: (() => void)[] = [];
  const invalidator = createInvalidator(client, (_ms, run) => {
    timers.push(run);
    return () => void timers.splice(timers.indexOf(run), 1);
  });
  invalidator.apply([{ kind: "token.create" }]);
  expect(takeOld()).toEqual(["tokens"]);
  invalidator.apply([{ kind: "member.update" }]);
  invalidator.apply([{ kind: "project.update" }]);
  expect(takeOld()).toEqual([]);
  timers.shift()!();
  expect(takeOld()).toEqual(["members", "projects"]);
  timers.shift()!();
  expect([takeOld(), timers.length]).toEqual([[], 0]);
  invalidator.all();
  expect(takeOld()).toEqual(["tokens", "members", "projects", "unknown"]);
  invalidator.apply([{ kind: "refused.user" }]);
  timers.shift()!();
  expect(takeOld()).toEqual([]);
  client.clear();
});
