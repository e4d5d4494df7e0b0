/**
 * Before the "clients": a PostgreSQL for tests that run on both kinds of database, unless
 * MILLRACE_TEST_DATABASE_URL names one. As root on Debian it is installed.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findPostgres, startPostgres } from "./postgres.ts";

export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env["MILLRACE_TEST_DATABASE_URL"]) return undefined;
  const programs = findPostgres() ?? install();
  if (!programs) {
    console.warn(
      "  PostgreSQL is not installed (Debian: apt-get install postgresql): tests on PostgreSQL are left out.",
    );
    return undefined;
  }
  const postgres = await startPostgres(programs);
  process.env["MILLRACE_TEST_DATABASE_URL"] = postgres.url;
  return postgres.close;
}

function install(): string | null {
  if (process.platform !== "linux" || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get"))
    return null;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  spawnSync("apt-get", ["update"], { env, stdio: "ignore" });
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "postgresql"], { env, stdio: "ignore" });
  return findPostgres();
}
