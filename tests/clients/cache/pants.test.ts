/**
 * Pants, as its page says:
 *
 * 1. A run fills the cache; with an emptied local store the next one takes every process from there.
 * 2. Without the server, with a wrong token and with a project's token it runs the processes, and warns.
 * 3. An entry that may not be stored, is damaged or is cut off costs a run and never gives a wrong result.
 */
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeText, TOO_LARGE_BYTES, TOOL_MS, useCacheStage } from "./cache-stage.ts";
import { testEvery } from "./every-case.ts";
import { findPants, testedVersion } from "./tools.ts";

const pants = await findPants();

const DATA = makeText(60_000, "pants");

const configurationFor = (host: string) => `
[GLOBAL]
pants_version = "${testedVersion("pants")}"
backend_packages = ["pants.backend.shell"]
pantsd = false
dynamic_ui = false
remote_cache_read = true
remote_cache_write = true
remote_store_address = "grpc://${host}"
remote_instance_name = "pants"
remote_cache_warnings = "backoff"
remote_oauth_bearer_token_path = "token.txt"

[stats]
log = true
`;

/** Pants takes whichever comes first, the result of the process or of the cache: it must not be the process. */
const BUILD = `
files(name="data", sources=["data.txt"])
shell_command(
    name="report",
    command="cat data.txt data.txt > report.txt; sleep 2",
    tools=["cat", "sleep"],
    execution_dependencies=[":data"],
    output_files=["report.txt"],
)
`;

describe.skipIf(!pants)("Pants", { timeout: TOOL_MS }, () => {
  const stage = useCacheStage(({ write, host }) => write({ "pants.toml": configurationFor(host), BUILD }));
  const build = async (token: string) => {
    const { run, remove, write, folder } = stage();
    remove("dist", "store");
    await write({ "token.txt": token });
    const { code, output } = await run([join(pants ?? "", "pants"), "export-codegen", "::"], {
      env: { PANTS_LOCAL_STORE_DIR: join(folder, "store") },
    });
    const counter = (name: string) => Number(new RegExp(`remote_cache_${name}: (\\d+)`).exec(output)?.[1]);
    return { code, output, hits: counter("requests_cached"), stored: counter("write_successes") };
  };
  const built = () => stage().read("dist/codegen/report.txt");
  beforeEach(() => stage().write({ "data.txt": DATA }));

  test("the second run comes from the remote cache", async () => {
    const { organization } = stage().tokens;
    expect(await build(organization)).toMatchObject({ code: 0, hits: 0, stored: 1 });
    expect(await build(organization)).toMatchObject({ code: 0, hits: 1, stored: 0 });
    expect(built()).toBe(DATA + DATA);
  });

  testEvery("without the server it runs the processes", async () => {
    await stage().proxy.goAway();
    const away = await build(stage().tokens.organization);
    expect(away.output).toContain("Failed to write to remote cache (1 occurrences so far): Unavailable:");
    expect(away).toMatchObject({ code: 0, hits: 0, stored: 0 });
  });

  testEvery("a wrong token and a project's are named, and it runs the processes", async () => {
    const { wrong, project } = stage().tokens;
    for (const [token, reason] of [
      [wrong, "Unauthenticated:"],
      [project, 'PermissionDenied: "project tokens may not use the cache"'],
    ] as const) {
      const refused = await build(token);
      expect(refused.output).toContain(`Failed to read from remote cache (1 occurrences so far): ${reason}`);
      expect(refused).toMatchObject({ code: 0, hits: 0, stored: 0 });
    }
  });

  testEvery("a damaged entry is a miss, and the run repairs it", async () => {
    const { tokens, damageEntries } = stage();
    expect(damageEntries()).toBeGreaterThan(0);
    expect(await build(tokens.organization)).toMatchObject({ code: 0, hits: 0, stored: 1 });
    expect(built()).toBe(DATA + DATA);
    expect(await build(tokens.organization)).toMatchObject({ code: 0, hits: 1 });
    expect(built()).toBe(DATA + DATA);
  });

  testEvery("an answer that is cut off is a miss", async () => {
    const { tokens, proxy } = stage();
    proxy.cutAfter = 4000;
    const cut = await build(tokens.organization);
    expect(proxy.cuts).toBeGreaterThan(0);
    expect(cut).toMatchObject({ code: 0, hits: 0 });
    expect(built()).toBe(DATA + DATA);
  });

  testEvery("what is too large is not stored", async () => {
    const { organization } = stage().tokens;
    await stage().write({ "data.txt": makeText(TOO_LARGE_BYTES, "large") });
    const large = await build(organization);
    expect(large.output).toContain(
      "Failed to write to remote cache (1 occurrences so far): ResourceExhausted:",
    );
    expect(large).toMatchObject({ code: 0, hits: 0, stored: 0 });
  });
});
