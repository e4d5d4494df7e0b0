/**
 * Bazel over HTTP and over gRPC, as its page says:
 *
 * 1. A build fills the cache; after `bazel clean` the next one takes every action from it. Both ways lead to the same entries.
 * 2. Without the server or with a token that is refused: over HTTP a warning, over gRPC exit 34 unless
 *    `--remote_local_fallback` is set.
 * 3. An entry that may not be stored, is damaged or is cut off costs a build and never gives a wrong result.
 * 4. Jobs of a pull request hit entries of the main branch and their own, whichever way; no one else gets theirs.
 */
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { makeText, TOO_LARGE_BYTES, TOOL_MS, useCacheStage } from "./cache-stage.ts";
import { pullRequestJob, readingJob, trustedJob } from "./job-tokens.ts";
import { findBazel } from "./tools.ts";

const bazel = await findBazel();
const DATA = makeText(60_000, "bazel");
const HIT = "INFO: 2 processes: 1 remote cache hit, 1 internal.";
/** Without user namespaces, Bazel uses another sandbox. */
const MISS = /INFO: 2 processes: 1 internal, 1 (?:linux|processwrapper)-sandbox\./;
const COMMAND_FAILED = 34;
const FALLBACK = "--remote_local_fallback";
const NO_UPLOAD = "--noremote_upload_local_results";
const BUILD = `
genrule(
    name = "report",
    srcs = ["data.txt"],
    outs = ["report.txt"],
    cmd = "cat $(SRCS) $(SRCS) > $@",
)
`;

describe.skipIf(!bazel)("Bazel", { timeout: TOOL_MS }, () => {
  const stage = useCacheStage(({ write }) => write({ WORKSPACE: "", BUILD }));
  const run = (...args: string[]) => stage().run([bazel ?? "", ...args]);
  const buildAt = async (address: string, token: string, ...flags: string[]) => {
    await run("clean");
    return run(
      "build",
      "//:report",
      "--color=no",
      "--curses=no",
      `--remote_cache=${address}`,
      `--remote_header=authorization=Bearer ${token}`,
      "--remote_timeout=30s",
      ...flags,
    );
  };
  const http = (token: string, ...flags: string[]) =>
    buildAt(`${stage().origin}/cache/bazel`, token, ...flags);
  const grpc = (token: string, ...flags: string[]) => buildAt(`grpc://${stage().host}`, token, ...flags);
  const built = () => stage().read("bazel-bin/report.txt");
  beforeEach(() => stage().write({ "data.txt": DATA }));
  afterAll(async () => {
    if (bazel) await run("shutdown");
  });

  test("what was built over HTTP hits over HTTP and over gRPC", async () => {
    const { organization } = stage().tokens;
    expect((await http(organization)).output).toMatch(MISS);
    expect((await http(organization)).output).toContain(HIT);
    expect((await grpc(organization)).output).toContain(HIT);
    expect((await grpc(organization, "--remote_instance_name=bazel")).output).toContain(HIT);
    expect(built()).toBe(DATA + DATA);
  });

  test("what was built over gRPC hits over gRPC and over HTTP", async () => {
    const { tokens, reset } = stage();
    await reset("bazel");
    expect((await grpc(tokens.organization)).output).toMatch(MISS);
    expect((await grpc(tokens.organization)).output).toContain(HIT);
    expect((await http(tokens.organization)).output).toContain(HIT);
    expect(built()).toBe(DATA + DATA);
  });

  test("without the server: a warning over HTTP, exit 34 over gRPC", async () => {
    const { tokens, proxy } = stage();
    await proxy.goAway();
    const overHttp = await http(tokens.organization);
    expect(overHttp.output).toContain("WARNING: Reading from Remote Cache:\nConnection refused");
    expect(overHttp.output).toMatch(MISS);
    expect(overHttp.code).toBe(0);
    const overGrpc = await grpc(tokens.organization);
    expect(overGrpc.output).toContain(
      "ERROR: Failed to query remote execution capabilities: Connection refused",
    );
    expect(overGrpc.code).toBe(COMMAND_FAILED);
    const goesOn = await grpc(tokens.organization, FALLBACK);
    expect(goesOn.output).toContain("WARNING: Failed to query remote execution capabilities");
    expect(goesOn.output).toMatch(MISS);
    expect(goesOn.code).toBe(0);
  });

  test("a wrong token and a project's: a warning over HTTP, exit 34 over gRPC", async () => {
    const { wrong, project } = stage().tokens;
    for (const [token, status, code] of [
      [wrong, "401 Unauthorized", "UNAUTHENTICATED: "],
      [project, "403 Forbidden", "PERMISSION_DENIED: project tokens may not use the cache"],
    ] as const) {
      const overHttp = await http(token);
      expect(overHttp.output).toContain(`WARNING: Reading from Remote Cache:\n${status}`);
      expect(overHttp.output).toMatch(MISS);
      expect(overHttp.code).toBe(0);
      const overGrpc = await grpc(token);
      expect(overGrpc.output).toContain(`ERROR: Failed to query remote execution capabilities: ${code}`);
      expect(overGrpc.code).toBe(COMMAND_FAILED);
      const goesOn = await grpc(token, FALLBACK);
      expect(goesOn.output).toMatch(MISS);
      expect(goesOn.code).toBe(0);
    }
  });

  test("a read-only token hits when uploading is off; over gRPC it must be", async () => {
    const { readOnly } = stage().tokens;
    expect((await http(readOnly, NO_UPLOAD)).output).toContain(HIT);
    expect((await grpc(readOnly, NO_UPLOAD)).output).toContain(HIT);
    const { code, output } = await grpc(readOnly);
    expect(output).toContain("the current account is not authorized to write local results");
    expect(code).toBe(COMMAND_FAILED);
  });

  test("a pull request's jobs have an overlay, over HTTP and over gRPC, which no one else reads", async () => {
    const { startJob, write, tokens } = stage();
    const pullRequest = pullRequestJob(7);
    await write({ "data.txt": "of main" });
    expect((await grpc(await startJob(trustedJob))).output).toMatch(MISS);
    expect((await http(await startJob(pullRequest))).output).toContain(HIT);
    expect((await grpc(await startJob(pullRequest))).output).toContain(HIT);

    await write({ "data.txt": "of the pull request" });
    expect((await grpc(await startJob(pullRequest))).output).toMatch(MISS);
    expect((await grpc(await startJob(pullRequest))).output).toContain(HIT);
    expect((await http(await startJob(pullRequest))).output).toContain(HIT);
    expect(built()).toBe("of the pull requestof the pull request");
    expect((await grpc(await startJob(pullRequestJob(8)))).output).toMatch(MISS);
    expect((await grpc(tokens.readOnly, NO_UPLOAD)).output).toMatch(MISS);
    expect((await http(await startJob(trustedJob))).output).toMatch(MISS);
    expect((await grpc(tokens.readOnly, NO_UPLOAD)).output).toContain(HIT);
  });

  test("a job that may read only hits when uploading is off; over gRPC it must be", async () => {
    const { startJob, write } = stage();
    await write({ "data.txt": "of main" });
    await grpc(await startJob(trustedJob));
    const token = await startJob(readingJob);
    expect((await http(token, NO_UPLOAD)).output).toContain(HIT);
    expect((await grpc(token, NO_UPLOAD)).output).toContain(HIT);
    const { code, output } = await grpc(token);
    expect(output).toContain("the current account is not authorized to write local results");
    expect(code).toBe(COMMAND_FAILED);
    await write({ "data.txt": "of a job that reads" });
    const refused = await http(token);
    expect(refused.output).toContain("WARNING: Writing to Remote Cache:");
    expect(refused.output).toMatch(MISS);
    expect(refused.code).toBe(0);
    expect((await http(token, NO_UPLOAD)).output).toMatch(MISS);
  });

  test("a damaged entry is a miss, and the build repairs it", async () => {
    const { tokens, damageEntries } = stage();
    for (const build of [http, grpc]) {
      expect(damageEntries()).toBeGreaterThan(0);
      const mended = await build(tokens.organization);
      expect(mended.output).toMatch(MISS);
      expect(mended.code).toBe(0);
      expect(built()).toBe(DATA + DATA);
      expect((await build(tokens.organization)).output).toContain(HIT);
      expect(built()).toBe(DATA + DATA);
    }
  });

  test("an answer that is cut off is a miss", async () => {
    const { tokens, proxy } = stage();
    proxy.cutAfter = 4000;
    for (const build of [http, grpc]) {
      const before = proxy.cuts;
      const { code, output } = await build(tokens.organization);
      expect(proxy.cuts).toBeGreaterThan(before);
      expect(output).toContain("WARNING: Reading from Remote Cache:");
      expect(output).toMatch(MISS);
      expect(code).toBe(0);
      expect(built()).toBe(DATA + DATA);
    }
  });

  test("what is too large is not stored", async () => {
    const { organization } = stage().tokens;
    await stage().write({ "data.txt": makeText(TOO_LARGE_BYTES, "large") });
    const overHttp = await http(organization);
    expect(overHttp.output).toContain("WARNING: Writing to Remote Cache:\n413 Payload Too Large");
    expect(overHttp.code).toBe(0);
    const overGrpc = await grpc(organization);
    expect(overGrpc.output).toContain("WARNING: Writing to Remote Cache:\nError while uploading artifact");
    expect(overGrpc.output).toMatch(MISS);
    expect(overGrpc.code).toBe(0);
  });
});
