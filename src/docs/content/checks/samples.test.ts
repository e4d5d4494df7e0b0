/**
 * Properties of the checks of samples:
 * 1. Every sample with a parser is parsed; placeholders, diffs and fragments are allowed; lines are the file's. A Gradle cache
 *    must allow plain HTTP unless the host is 127.0.0.1, and a reverse proxy must pass gRPC on as HTTP/2.
 * 2. Workflows are read by GitHub's rules, in complete workflow files only.
 * 3. Compose files and excerpts must match the specification's schema; extensions (`x-…`) are free.
 * 4. Unknown commands and flags of `millrace` are found in every kind of shell text; Docker's flags are known if the command
 *    passes them on.
 */
import { describe, expect, test } from "vitest";
import { cliFactsSchema } from "../facts/reference-schemas.ts";
import { checkCommands } from "./check-commands.ts";
import { checkCompose } from "./check-compose.ts";
import { checkSamples } from "./check-samples.ts";
import { checkWorkflows } from "./check-workflows.ts";
import { install, pageOf, sample } from "./page-fixture.ts";

describe("samples", () => {
  test.each([
    ["yaml", "url: {{origin}}/cache\nif: ${{ github.ref == 'x' }}"],
    ["yaml", "a: 1\n---\nb: 2"],
    ["json", '{"a": [1, "{{host}}"]}'],
    ["jsonc", '{\n  // why\n  "a": "http://x", /* b */\n}'],
    ["toml", '[build]\nrustc-wrapper = "sccache"'],
    [
      "dockerfile",
      "# syntax=docker/dockerfile:1\nFROM node:24 AS build\nRUN <<EOF\nNOT an instruction\nEOF\nFROM scratch\nCOPY --from=build /a /a\nCOPY --from=docker.io/x/y:1 /b /b",
    ],
    ["dockerfile", "RUN --mount=type=cache,target=/x npm ci\nCOPY --from=build /a /a"],
    ["xml", "<a>1</a>\n<b/>"],
    ["hcl", 'target "app" {\n  tags = ["a:${TAG}"]\n}'],
    ["text", "{"],
    ["js", "import { a } from 'b';\nconst c = await a();"],
    ["ts", "const a: number = 1;"],
    ["kotlin", 'remote<HttpBuildCache> { url = uri("https://x/cache/gradle/") }'],
    ["kotlin", 'remote<HttpBuildCache> { url = uri("http://127.0.0.1:3000/cache/gradle/") }'],
    ["kotlin", 'remote<HttpBuildCache> {\n  url = uri("{{origin}}/")\n  isAllowInsecureProtocol = true\n}'],
    ["groovy", "remote(HttpBuildCache) {\n  url = '{{origin}}/'\n  allowInsecureProtocol = true\n}"],
    ["text", "@grpc protocol grpc\nreverse_proxy @grpc h2c://127.0.0.1:3000\nreverse_proxy 127.0.0.1:3000"],
    ["text", "proxy_pass http://127.0.0.1:3000;\ngrpc_pass grpc://127.0.0.1:3000;"],
  ])("%s is fine %#", (language, code) =>
    expect(checkSamples([pageOf({ samples: [sample(language, code)] })])).toEqual([]),
  );

  test.each([
    ["yaml", "a:\n  - b\n c: 1", 12, "Not YAML"],
    ["json", '{\n  "a": 1,\n}', 12, "Not JSON"],
    ["toml", "[a]\nb = ", 11, "Not TOML"],
    ["xml", "<a>\n<b></a>", 11, "Not XML: unexpected close tag"],
    ["hcl", 'target "app" {', 10, "Not HCL"],
    ["dockerfile", "FROM a\nCPY . .", 11, 'Not a Dockerfile instruction: "CPY". Did you mean COPY?'],
    ["dockerfile", "FROM a AS build\nFROM b\nCOPY --from=biuld / /", 12, "no stage has this name"],
    ["js", "const a = 1;\nconst b: number = 2;", 11, "Not JavaScript"],
    ["ts", "const a: number = 1;\nconst b = ;", 11, "Not TypeScript: Unexpected token."],
    ["kotlin", 'remote<HttpBuildCache> {\n  url = uri("{{origin}}/")\n}', 11, "allowInsecureProtocol"],
    ["groovy", "remote(HttpBuildCache) {\n  url = 'http://127.0.0.10/'\n}", 11, "allowInsecureProtocol"],
    ["text", "server {\n\n  location / {\n    proxy_pass http://127.0.0.1:3000;", 13, "Without grpc_pass"],
    ["text", "a.example {\n\treverse_proxy 127.0.0.1:3000", 11, "Without h2c://"],
  ])("%s is not %#", (language, code, line, message) => {
    const [problem] = checkSamples([pageOf({ samples: [sample(language, code)] })]);
    expect(problem).toMatchObject({ line, rule: `sample-${language}` });
    expect(problem?.message).toContain(message);
  });

  test("a diff is not parsed", () => {
    const samples = [sample("json", '-{"a":1}\n+{"a":2}', { diff: true })];
    expect(checkSamples([pageOf({ samples })])).toEqual([]);
  });
});

const workflow =
  "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: curl {{origin}} ${{ github.ref }}\n";
const checkWorkflow = (code: string, title: string | null = ".github/workflows/a.yml") =>
  checkWorkflows([pageOf({ samples: [sample("yaml", code, { title })] })]);

describe("workflows", () => {
  test("what GitHub accepts, fragments and other files are fine", async () => {
    expect(await checkWorkflow(workflow)).toEqual([]);
    expect(await checkWorkflow("steps:\n  - rnu: x")).toEqual([]);
    expect(await checkWorkflow("on: x\nrnu: y", "a.yml")).toEqual([]);
  });

  test("wrong keys and wrong expressions are found at their lines", async () => {
    const wrong = workflow.replace("runs-on", "run-on").replace("github.ref", "github.ref(");
    expect((await checkWorkflow(wrong)).map(({ line, rule }) => [line, rule])).toEqual(
      expect.arrayContaining([
        [13, "workflow"],
        [15, "workflow"],
      ]),
    );
  });
});

describe("Compose files", () => {
  const compose = "services:\n  web:\n    build:\n      context: .\n    ports: ['80:80']\n";
  const check = (code: string, title: string | null = null) =>
    checkCompose([pageOf({ samples: [sample("yaml", code, { title })] })]).map(({ line, message }) => [
      line,
      message,
    ]);

  test.each([
    [compose, "compose.yaml"],
    [`${compose}x-millrace:\n  project: prj_1\n`, null],
    ["web:\n  buld: .", null],
    ["job:\n  services:\n    - postgres:18", ".gitlab-ci.yml"],
  ])("%j is fine", (code, title) => expect(check(code, title)).toEqual([]));

  test("wrong keys and wrong values are found at their lines", () => {
    expect(check(compose.replace("context", "contxt"))).toEqual([
      [
        13,
        expect.stringContaining(
          '`services.web.build` of a Compose file has no "contxt". Did you mean "context"?',
        ),
      ],
    ]);
    expect(check(compose.replace("['80:80']", "80"))).toEqual([
      [14, "`services.web.ports` of a Compose file must be array."],
    ]);
    expect(check("servics: {}", "compose.yaml")).toEqual([
      [10, 'A Compose file has no "servics". Did you mean "services"?'],
    ]);
  });
});

describe("commands", () => {
  const cli = cliFactsSchema.parse({
    install,
    globalFlags: [{ name: "--output", short: "-o", value: "table|json", description: "Form." }],
    commands: [
      {
        name: "build",
        summary: "Build.",
        synopsis: "millrace build",
        part: "container-builds",
        passthrough: "docker buildx build",
        flags: [{ name: "--save", description: "Keep." }],
      },
      { name: "builds list", summary: "List.", synopsis: "millrace builds list", part: "cli", flags: [] },
      {
        name: "claude",
        summary: "Agent.",
        synopsis: "millrace claude",
        passthrough: "claude",
        part: "agents",
        flags: [],
      },
    ],
  });
  const check = (language: string, code: string) =>
    checkCommands([pageOf({ samples: [sample(language, code)] })], cli).map(({ line, message, fix }) => [
      line,
      message,
      fix,
    ]);

  test.each([
    ["console", "$ millrace build -t acme/web --platform=linux/amd64 --save .\nmillrace nonsense is output"],
    ["bash", "MILLRACE_URL=x npx millrace builds list --output json | jq '.[]'"],
    ["bash", "cat <<EOF\nmillrace nonsense\nEOF\n# millrace nonsense\necho 'millrace nonsense'"],
    ["bash", "millrace claude --dangerously-anything"],
    ["bash", "millrace --version && millrace build --help"],
    ["bash", "export MILLRACE_TOKEN=x"],
    ["yaml", "note: millrace nonsense"],
    ["inline", "millrace build …"],
  ])("%s is fine: %s", (language, code) => expect(check(language, code)).toEqual([]));

  test("unknown command", () => {
    expect(check("console", "$ ls\nx\n$ millrace biuld .")).toEqual([
      [12, "There is no command `millrace biuld .`.", "millrace build"],
    ]);
    expect(check("inline", "millrace builds lst")).toEqual([
      [10, '`millrace builds` has no command "lst".', "millrace builds list"],
    ]);
  });

  test("in a Dockerfile and in files of CI providers too", () => {
    const found = [[12, expect.stringContaining("no flag --sav"), "millrace build --save"]];
    expect(check("dockerfile", "FROM a\nRUN true \\\n && millrace build --sav .")).toEqual(found);
    expect(check("yaml", "steps:\n  - run: |\n      millrace build --sav ${{ x }}")).toEqual(found);
    expect(check("groovy", "steps {\n\n sh 'millrace build --sav .'\n}")).toEqual(found);
  });

  test("unknown flag, also after a line that continues and inside a list", () => {
    expect(check("bash", "true && millrace build \\\n  --sav .")).toEqual([
      [10, '`millrace build` has no flag --sav. Did you mean "--save"?', "millrace build --save"],
    ]);
    expect(check("bash", 'x="$(millrace builds list --json)"')).toMatchObject([
      [
        10,
        "`millrace builds list` has no flag --json. There are: --output, --help, --version.",
        "millrace builds list",
      ],
    ]);
  });
});
