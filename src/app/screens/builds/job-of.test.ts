/**
 * 1. The CI provider's claims count; without them the labels do.
 * 2. A request is named by its number, in whichever form it is given.
 * 3. Only web addresses become links.
 */
import { expect, test } from "vitest";
import { jobOf } from "./job-of.ts";

const job = {
  subject: "repo:acme/web:pull_request",
  pull_request: "418",
  pull_request_url: "https://github.com/acme/web/pull/418",
  workflow: "image.yml",
  run_url: "https://github.com/acme/web/actions/runs/9",
};

test("1. claims before labels", () => {
  const labels = { pull_request: "7", workflow: "mine.yml" };
  expect(jobOf({ job, labels })).toEqual({
    request: { text: "#418", href: job.pull_request_url },
    workflow: { text: "image.yml", href: job.run_url },
  });
  expect(jobOf({ labels })).toEqual({
    request: { text: "#7", href: "" },
    workflow: { text: "mine.yml", href: "" },
  });
  expect(jobOf({ labels: {} })).toEqual({ request: null, workflow: null });
  const nothing = { ...job, pull_request: "", pull_request_url: "", workflow: "" };
  expect(jobOf({ job: nothing, labels })).toEqual({
    request: null,
    workflow: { text: "run", href: job.run_url },
  });
});

test.each([
  ["418", "#418"],
  ["#418", "#418"],
  ["https://gitlab.acme.example/acme/web/-/merge_requests/418", "#418"],
  ["express checkout", "express checkout"],
])("2. %s", (text, expected) => {
  expect(jobOf({ labels: { pull_request: text } }).request?.text).toBe(expected);
});

test.each(["javascript:alert(1)", "https://", "//evil.example/1", "data:text/html,1", "https:// /1"])(
  "3. %s",
  (href) => {
    const labels = { pull_request: href, workflow: "w", run_url: href };
    expect(jobOf({ labels })).toMatchObject({ request: { href: "" }, workflow: { href: "" } });
  },
);
