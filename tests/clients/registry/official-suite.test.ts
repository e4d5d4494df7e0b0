/**
 * The conformance suite of the OCI Distribution Specification, with a client of its own:
 *
 * 1. The requirements of specification 1.1: nothing fails.
 * 2. With its optional parts and the additions of its next version: nothing fails.
 */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TOOL_MS, useRegistryStage } from "./registry-stage.ts";
import { findConformance } from "./tools.ts";

const program = await findConformance();

describe.skipIf(!program)("the official conformance suite", { timeout: TOOL_MS }, () => {
  const stage = useRegistryStage();

  async function runSuite(version: string) {
    const { host, folder, tokens } = stage();
    const env = {
      OCI_VERSION: version,
      OCI_REGISTRY: host,
      OCI_TLS: "disabled",
      OCI_REPO1: "acme/web",
      OCI_REPO2: "acme/api",
      OCI_USERNAME: "x-token",
      OCI_PASSWORD: tokens.organization,
      OCI_RESULTS_DIR: join(folder, version),
    };
    const { code, output } = await stage().run([program ?? ""], { env });
    const count = (state: string) => Number(new RegExp(`^  ${state}\\.+: +(\\d+)$`, "m").exec(output)?.[1]);
    return {
      code,
      failed: output.match(/msg="failed test".*$/gm) ?? [],
      skipped: output.match(/^ +.*: Skip$/gm) ?? [],
      counts: { passed: count("Pass"), failed: count("FAIL"), errors: count("Error") },
    };
  }

  // A token of one repository does not mount from a repository that the client leaves unnamed: the specification leaves that open.
  const ANONYMOUS = /mount anonymous/;

  test("1. what 1.1 asks for", async () => {
    const { code, failed, skipped, counts } = await runSuite("1.1");
    expect(failed).toEqual([]);
    expect(skipped.filter((line) => !ANONYMOUS.test(line))).toEqual([]);
    expect([code, counts]).toEqual([
      0,
      { passed: expect.toSatisfy((tests: number) => tests >= 860), failed: 0, errors: 0 },
    ]);
  });

  test("2. with what is optional", async () => {
    const { code, failed, skipped, counts } = await runSuite("dev");
    expect(failed).toEqual([]);
    expect(skipped.filter((line) => !ANONYMOUS.test(line))).toEqual([]);
    expect([code, counts]).toEqual([
      0,
      { passed: expect.toSatisfy((tests: number) => tests >= 984), failed: 0, errors: 0 },
    ]);
  });
});
