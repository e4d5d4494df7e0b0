/**
 * Properties of the pages' advice, tested with stand-ins for the tools:
 * 1. The script that watches waiting builds runs while they wait, and ends when they have ended.
 * 2. A page about Docker's refusal to load several platforms names the store that keeps them, and how to switch.
 * 3. No page says that an OIDC token can be exchanged only once: CircleCI has one token for all steps of a job.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";

const pages = join(import.meta.dirname, "../../../../content/docs/container-builds");
const read = (page: string) => readFileSync(join(pages, `${page}.mdx`), "utf8");

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A folder for `PATH`. Builds wait until the queue has been listed twice; the first listing waits for all three builds. */
function standIns(): string {
  const folder = mkdtempSync(join(tmpdir(), "advice-"));
  folders.push(folder);
  const write = (name: string, ...lines: string[]) =>
    writeFileSync(join(folder, name), ["#!/bin/bash", `cd ${folder}`, ...lines].join("\n"), { mode: 0o755 });
  write(
    "millrace",
    'if [ "$1" = build ]; then',
    "  touch queued.$$; until [ -e second ]; do /bin/sleep 0.02; done; rm queued.$$",
    "else",
    '  until [ -e first ] || [ "$(ls | grep -c queued)" = 3 ]; do /bin/sleep 0.02; done',
    "  ls | grep queued; if [ -e first ]; then touch second; else touch first; fi",
    "fi",
  );
  write("jq", "wc -l");
  write("sleep", "exec /bin/sleep 0.02");
  return folder;
}

test("the script for the peak counts builds while they wait", () => {
  const script = /```bash title="peak\.sh"\n([\s\S]*?)```/.exec(read("how-to-guides/autoscaling"))?.[1] ?? "";
  const path = `${standIns()}:${process.env["PATH"] ?? ""}`;
  const output = execFileSync("bash", ["--norc", "-c", script], {
    env: { PATH: path },
    encoding: "utf8",
    timeout: 20_000,
  });
  expect(output.split("\n").slice(0, 2).map(Number)).toEqual([3, 3]);
});

test("Docker's containerd image store is the answer to several platforms", () => {
  const entry = read("troubleshooting").split("### `docker exporter does not")[1]?.split("\n### ")[0];
  expect(entry).toContain("containerd-snapshotter");
  expect(entry).toContain("docker info");
  expect(read("how-to-guides/arm-containers")).toContain("containerd image store");
});

test("all steps of a CircleCI job share one OIDC token", () => {
  const page = read("reference/circleci");
  expect(page).toMatch(/All steps of the job share this one token\. Each command of the CLI exchanges it/);
});
