/**
 * The check "api": `proto/` is well formed and breaks no client of a released version, and the generated code is up to date.
 * decisions/024-api.md says how the baseline moves.
 */
import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "#server/pages/build-folders.ts";
import { GENERATED_FOLDERS, generateApi } from "../api/generate.ts";
import { API_FACTS_FILE } from "../api/make-api-facts.ts";
import type { CheckResult } from "./run-checks.ts";

const BASELINE = "proto/baseline.binpb";

export async function checkApi(): Promise<CheckResult> {
  const reports = [lintContract("proto"), findBreakingChanges("proto"), await findStaleCode()];
  const failed = reports.filter((report) => report !== "");
  return { passed: reports.length - failed.length, failed: failed.length, report: failed.join("\n") };
}

function lintContract(proto: string): string {
  return complaintsOf(["lint", proto]);
}

/** @param proto a folder with the contract */
export function findBreakingChanges(proto: string): string {
  const complaints = complaintsOf(["breaking", proto, "--against", BASELINE]);
  return complaints && `${complaints}These changes break clients. Make new fields and methods instead.`;
}

/** "" when it succeeds. */
function complaintsOf(args: string[]): string {
  try {
    execFileSync(join(root, "node_modules/.bin/buf"), args, { cwd: root, stdio: "pipe", encoding: "utf8" });
    return "";
  } catch (error) {
    // Errors of `execFileSync` have both.
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    return `${stdout ?? ""}${stderr ?? ""}` || String(error);
  }
}

async function findStaleCode(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "millrace-api-"));
  try {
    await generateApi(folder);
    const isStale = (file: string) => read(join(root, file)) !== read(join(folder, file));
    const files = [root, folder].flatMap((cwd) =>
      globSync(
        GENERATED_FOLDERS.map((each) => `${each}/**/*.*`),
        { cwd },
      ),
    );
    const stale = [...new Set([...files, API_FACTS_FILE])].filter(isStale);
    if (stale.length === 0) return "";
    return `Not what proto/ and content/facts/api-errors.yaml say: ${stale.join(", ")}. Run \`npm run generate\`.`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
