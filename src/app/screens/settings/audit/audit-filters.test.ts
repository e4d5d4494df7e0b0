/** 1. Only filters that are set are sent. 2. Days are in the reader's zone. */
import { expect, test } from "vitest";
import { toAuditRequest } from "./audit-filters.ts";

const NOW = new Date(2026, 10, 20, 14, 32);
const day = (date: number) => new Date(2026, 10, date).toISOString();
const request = (text: string) => toAuditRequest(new URLSearchParams(text), NOW);

test("1. filters", () => {
  expect(request("")).toEqual({});
  expect(request("q= ada &action=token.create&person=usr_1&from=10.0.4.17&row=x&sort=time")).toEqual({
    query: "ada",
    action: "token.create",
    actor_id: "usr_1",
    address: "10.0.4.17",
  });
  expect(request(`q=${"a".repeat(300)}`).query).toHaveLength(200);
});

test("2. days", () => {
  expect(request("when=today")).toEqual({ from: day(20) });
  expect(request("when=yesterday")).toEqual({ from: day(19), to: day(20) });
  expect(request("when=7d")).toEqual({ from: day(14) });
  expect(request("when=soon")).toEqual({});
});
