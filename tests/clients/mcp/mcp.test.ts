/**
 * The documentation for agents, as its pages describe it, with a real server:
 * 1. Every `claude mcp` and `claude -p` on the pages runs unchanged and prints the output below it.
 * 2. Claude Code's model gets the tools' answers, and gives the answer that the page shows. Its model is a stand-in.
 * 3. A file in the format that other clients read connects Claude Code too.
 * 4. The first version of the official SDK, which most clients are made with, gets the same answers as the second.
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { consoleCommands } from "#docs/content/blocks/code-block.ts";
import { hashOf } from "#docs/content/executed/states.ts";
import { fillPlaceholders } from "#docs/content/page/placeholders.ts";
import type { Sample } from "#docs/content/types.ts";
import { compileContent } from "../../../scripts/steps/content-step.ts";
import { type RunningServer, startServer } from "../../attack/server-process.ts";
import { installFromNpm } from "../cache/install-tool.ts";
import { findMissingLine } from "../pages/expected-output.ts";
import { noteRuns } from "../pages/note-runs.ts";
import { openShellSession } from "../shell-session.ts";
import { type ModelServer, startModelServer } from "./model-server.ts";

const CLAUDE_CODE = "2.1.330";
const SDK = "1.32.2";
const COMMAND_MS = 120_000;
const TEST_MS = 400_000;
const run = promisify(execFile);

const claudeCode = await installFromNpm(`claude-code-${CLAUDE_CODE}`, [
  `@anthropic-ai/claude-code@${CLAUDE_CODE}`,
]);
const sdk = await installFromNpm(`mcp-sdk-${SDK}`, [`@modelcontextprotocol/sdk@${SDK}`]);
const { pages } = await compileContent();

let folder: string;
let server: RunningServer;
let origin: string;
let model: ModelServer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mcp-"));
  server = await startServer({ env: { SITE_ORIGIN: undefined } });
  origin = `http://127.0.0.1:${server.port}`;
  model = await startModelServer("exit code token expired");
}, 300_000);
afterAll(async () => {
  await model.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** An unused home, and nothing of this machine's own settings: no key, no proxy, no other model. */
function openHome(name: string) {
  const home = join(folder, name);
  const bin = join(home, "bin");
  mkdirSync(join(home, "shop"), { recursive: true });
  mkdirSync(bin);
  const program = join(claudeCode ?? "", "node_modules", "@anthropic-ai", "claude-code", "cli-wrapper.cjs");
  writeFileSync(join(bin, "claude"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, {
    mode: 0o755,
  });
  const env = {
    PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    ANTHROPIC_BASE_URL: model.origin,
    ANTHROPIC_API_KEY: "a-key-of-tests",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
    DISABLE_AUTOUPDATER: "1",
  };
  return { cwd: join(home, "shop"), env };
}

const samplesOf = (path: string): Sample[] =>
  (pages.find((page) => page.path === path)?.samples ?? []).map((sample) => ({
    ...sample,
    code: fillPlaceholders(sample.code, origin),
  }));

/** The commands of a page about its connection, each with the output below it. */
const claudeCommands = (path: string) =>
  samplesOf(path).flatMap(({ language, code }) => {
    if (language !== "console") return [];
    const lines = code.split("\n");
    const commands = consoleCommands(code);
    return commands
      .map(({ text, to }, at) => ({ text, output: lines.slice(to, commands[at + 1]?.from) }))
      .filter(({ text }) => /^claude (?:mcp|-p) /.test(text));
  });

const EVERY_TOOL = "--allowedTools mcp__millrace-docs";
const ASKS = /^claude -p /;

describe.skipIf(!claudeCode)("Claude Code", { timeout: TEST_MS }, () => {
  test.each([
    ["/docs/agents/overview", 2],
    ["/docs/agents/overview/mcp", 3],
    ["/docs/agents/claude-code/quickstart", 1],
  ])("1. and 2. the commands of %s", async (path, count) => {
    const commands = claudeCommands(path);
    expect(commands.length).toBeGreaterThanOrEqual(count);
    const { cwd, env } = openHome(path.replaceAll("/", "-"));
    const shell = openShellSession({ folder: cwd, env, commandMs: COMMAND_MS });
    for (const { text, output } of commands) {
      const answer = await shell.run(text);
      expect(answer, text).toMatchObject({ exitCode: 0 });
      expect(findMissingLine(output, answer.output), `${text}\n${answer.output}`).toBeNull();
      if (ASKS.test(text)) expectAnswers();
    }
    await shell.end();
    const page = pages.find((each) => each.path === path)!;
    const isCommand = ({ language, code }: Sample) =>
      language === "console" && /^\$ claude (?:mcp|-p) /.test(code);
    noteRuns(page, page.samples.filter(isCommand).map(hashOf));
  });

  test("3. a file of the form that other clients read", async () => {
    const files = samplesOf("/docs/agents/overview").filter(
      ({ title }) => title === "Configuration of the client",
    );
    expect(files).toHaveLength(1);
    const { cwd, env } = openHome("file");
    writeFileSync(join(cwd, "clients.json"), files[0]!.code);
    const command = ["-p", "Which exit code?", "--mcp-config", "clients.json", "--strict-mcp-config"];
    const { stdout } = await runClaude([...command, ...EVERY_TOOL.split(" ")], { cwd, env });
    expectAnswers();
    expect(stdout.trim()).toBe(`Exit code 3. Source: ${origin}/docs/cli/reference#exit-codes`);
  });
});

function expectAnswers(): void {
  const answers = model.answers().filter(({ tool }) => tool.startsWith("mcp__"));
  expect(answers).toEqual([
    {
      tool: "mcp__millrace-docs__search_docs",
      text: expect.stringContaining("CLI reference"),
      isError: false,
    },
    {
      tool: "mcp__millrace-docs__read_page",
      text: expect.stringContaining(`${origin}/docs/cli/reference#exit-codes`),
      isError: false,
    },
  ]);
}

const runClaude = async (words: readonly string[], { cwd, env }: ReturnType<typeof openHome>) => {
  const running = run(join(env.HOME, "bin", "claude"), words, { cwd, env, timeout: COMMAND_MS });
  // It would wait for more of the question.
  running.child.stdin?.end();
  return running;
};

const ASK = `
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
const client = new Client({ name: "tests", version: "1.0.0" });
await client.connect(new StreamableHTTPClientTransport(new URL(process.argv[2])));
const call = async (name, input) => (await client.callTool({ name, arguments: input })).content[0].text;
const { tools } = await client.listTools();
const { resources, nextCursor } = await client.listResources();
const { contents } = await client.readResource({ uri: resources[0].uri });
const { prompts } = await client.listPrompts();
const found = await call("search_docs", { query: "cache eviction", limit: 1 });
const read = await call("read_page", { page: /http\\S+/.exec(found)[0] });
await client.close();
const names = (list) => list.map(({ name }) => name);
const markdown = contents[0].text;
console.log(JSON.stringify({ tools: names(tools), prompts: names(prompts), markdown, nextCursor, found, read }));
`;

test.skipIf(!sdk)("4. the first version of the official SDK", { timeout: TEST_MS }, async () => {
  const program = join(sdk ?? "", "ask.mjs");
  writeFileSync(program, ASK);
  const { stdout } = await run(process.execPath, [program, `${origin}/mcp`], { timeout: COMMAND_MS });
  const { tools, prompts, markdown, found, read } = z
    .object({
      tools: z.array(z.string()),
      prompts: z.array(z.string()),
      markdown: z.string(),
      nextCursor: z.string(),
      found: z.string(),
      read: z.string(),
    })
    .parse(JSON.parse(stdout));
  expect(tools).toEqual(["search_docs", "read_page"]);
  expect(prompts).toEqual(["set_up_cache", "diagnose_cache_miss", "write_dockerfile", "move_from"]);
  expect(markdown).toMatch(/^# /m);
  expect(found).toContain(`${origin}/docs/`);
  expect(read).toContain(`Source: ${/http\S+/.exec(found)?.[0]}\n`);
});
