/**
 * The CLI as a server provides it, installed by the script in each shell that systems have as `sh`.
 * 1. It installs, installs again, replaces the build by another, and removes everything again.
 * 2. Any failure is reported in one sentence with what to do, and leaves nothing; an earlier installation still runs.
 * 3. npm installs the same without its registry. `upgrade` installs the server's build in the way in which the CLI was
 *    installed.
 * 4. A terminal shows once a day that the server has another build, with the command; pipelines never show it.
 * 5. A machine without buildx gets the server's, once, if its checksum is right. A server without buildx says what to
 *    do.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import "reflect-metadata";
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from "@peculiar/x509";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type Downloads, packDownloads, packOtherBuild, serveDownloads } from "./cli-downloads.ts";
import { collect, makePlace, runOnTerminal } from "./cli-process.ts";
import { type CliServer, startCliServer, USER_TOKEN } from "./cli-server.ts";

const place = makePlace();
const served = { asked: [] as string[] } as Parameters<typeof serveDownloads>[0];
let server: CliServer;
let own: Downloads;
let other: Downloads;

beforeAll(async () => {
  server = await startCliServer();
  own = await packDownloads(join(place.path, "own"), server.origin);
  other = packOtherBuild(own, join(place.path, "other"), "0.2.0-ffffffff");
  served.current = own;
  server.intercept = serveDownloads(served);
}, 120_000);
afterEach(() => {
  Object.assign(served, { current: own, change: undefined, asked: [] });
});
afterAll(async () => {
  await server.close();
  place.remove();
});

const script = () => readFileSync(join(served.current.folder, "install.sh"), "utf8");
const PATH = process.env["PATH"] ?? "";
const shells = ["dash", "busybox sh", "bash --posix"].filter(
  (shell) => spawnSync(shell.split(" ")[0] ?? "", []).error === undefined,
);

interface Install {
  home: string;
  shell?: string[];
  args?: string[];
  env?: { [name: string]: string };
  asNobody?: boolean;
  text?: string;
}

const install = ({ home, shell: [program = "", ...flags] = ["sh"], args = [], env = {}, ...rest }: Install) =>
  collect(program, [...flags, "-s", ...(args.length > 0 ? ["--", ...args] : [])], {
    env: { HOME: home, SHELL: "/bin/bash", ...env },
    input: rest.text ?? script(),
    asNobody: rest.asNobody ?? false,
  });

const run = (home: string, ...args: string[]) =>
  collect(join(home, ".millrace/bin/millrace"), args, {
    env: { HOME: home, MILLRACE_URL: server.origin, MILLRACE_TOKEN: USER_TOKEN },
  });

test.each(shells)(
  "1. in %s",
  async (name) => {
    const shell = name.split(" ");
    const home = place.home();
    const link = join(home, ".millrace/bin/millrace");
    const first = await install({ home, shell });
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain(`Installed millrace 0.1.0 as ${link}\n`);
    expect(first.stdout).toContain(`echo 'export PATH="${home}/.millrace/bin:$PATH"' >> ~/.bashrc\n`);
    expect(await run(home, "whoami")).toMatchObject({ code: 0, stderr: "" });
    const env = { PATH: `${home}/.millrace/bin:${PATH}` };
    expect((await install({ home, shell, env })).stdout).not.toContain("PATH");
    served.current = other;
    expect((await install({ home, shell, env })).stdout).toContain(", in place of the previous version\n");
    expect((await run(home, "--version")).stdout).toBe("millrace 0.2.0\n");
    // Only the previous version stays, for processes that still run.
    const folders = readdirSync(join(home, ".millrace/cli")).map((name) => name.replace(/-\d+$/, ""));
    expect(folders.toSorted()).toEqual([own.version, other.version]);
    writeFileSync(join(home, ".millrace/notes"), "mine");
    expect(await install({ home, shell, args: ["--uninstall"] })).toMatchObject({ code: 0, stderr: "" });
    expect(readdirSync(join(home, ".millrace"))).toEqual(["notes"]);
    expect((await install({ home, shell, args: ["--uninstall"] })).stderr).toContain(
      "nothing is installed in",
    );
  },
  60_000,
);

/** A folder with only the named programs. */
function programs(names: readonly string[], own: { [name: string]: string } = {}): { PATH: string } {
  const folder = place.home();
  const always = [
    "sh",
    "tar",
    "gzip",
    "mkdir",
    "rm",
    "rmdir",
    "mv",
    "ln",
    "readlink",
    "chmod",
    "sed",
    "tail",
    "date",
  ];
  for (const name of [...always, ...names])
    symlinkSync(
      execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(),
      join(folder, name),
    );
  for (const [name, text] of Object.entries(own))
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return { PATH: folder };
}

const cut = (path: string, bytes: Buffer) => (path.endsWith(".tgz") ? bytes.subarray(0, 1000) : bytes);
const changed = (path: string, bytes: Buffer) =>
  path.endsWith(".tgz") ? Buffer.concat([bytes.subarray(0, -1), Buffer.of(1)]) : bytes;

const troubles: [name: string, given: () => Partial<Install>, said: RegExp][] = [
  [
    "a wrong checksum",
    () => ((served.change = changed), {}),
    /was damaged in transit: its SHA-256 is [0-9a-f]{64}, expected [0-9a-f]{64}; nothing was installed\..+run the command again/,
  ],
  [
    "half a download",
    () => ((served.change = cut), {}),
    /millrace-0\.1\.0-\w+\.tgz could not be downloaded: .+run the command again/,
  ],
  [
    "half a download by wget",
    () => ((served.change = cut), { env: programs(["wget", "node"]) }),
    /could not be downloaded|was damaged in transit/,
  ],
  ["half the script", () => ({ text: script().slice(0, script().lastIndexOf("main")) }), /^$/],
  [
    "a server of another build by now",
    () => (
      (served.current = { ...other, folder: join(place.path, "none") }),
      { text: readFileSync(join(own.folder, "install.sh"), "utf8") }
    ),
    /no longer exists: the server has changed in the meantime; run the command again/,
  ],
  [
    "no Node.js",
    () => ({ env: programs(["curl"]) }),
    /^millrace: Node\.js is missing: .*20\.19 or newer; get it from/,
  ],
  [
    "an old Node.js",
    () => ({ env: programs(["curl"], { node: "echo 18.20.4" }) }),
    /^millrace: Node\.js 18\.20\.4 at \S+ is too old: the command needs 20\.19 or newer; get it from/,
  ],
  [
    "a Node.js that is a little too old",
    () => ({ env: programs(["curl"], { node: "echo 20.18.3" }) }),
    /Node\.js 20\.18\.3 at/,
  ],
  [
    "neither curl nor wget",
    () => ({ env: programs(["node"]) }),
    /^millrace: curl and wget are missing: install one/,
  ],
  ["a relative folder", () => ({ env: { MILLRACE_INSTALL: "here" } }), /use an absolute path/],
  ["an unknown option", () => ({ args: ["--global"] }), /unknown option --global/],
  [
    "no server",
    () => ({ text: script().replaceAll(server.origin, "http://127.0.0.1:1") }),
    /could not be downloaded: .+check the network and HTTPS_PROXY/,
  ],
];

test.each(troubles)("2. %s", async (name, given, said) => {
  const home = place.home();
  const { code, stderr, stdout } = await install({ home, ...given() });
  expect(stderr).toMatch(said);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  if (name !== "half the script") expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(readdirSync(home)).toEqual([]);
});

test("2. what was installed before still runs after a failure", async () => {
  const home = place.home();
  await install({ home });
  served.current = other;
  served.change = changed;
  expect((await install({ home })).code).toBe(1);
  expect((await run(home, "--version")).stdout).toBe("millrace 0.1.0\n");
  expect(readdirSync(join(home, ".millrace"))).toEqual(["bin", "cli"]);
});

test.runIf(process.getuid?.() === 0)("2. a home that cannot be written", async () => {
  const home = place.home();
  chmodSync(home, 0o755);
  const { code, stderr } = await install({ home, asNobody: true });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: `millrace: ${home}/.millrace cannot be written: set MILLRACE_INSTALL to a folder that you can write to, and run this again\n`,
  });
});

test("2. a full disk", async () => {
  const home = place.home();
  const isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=600k", "tmpfs", home]).status === 0;
  if (!isMounted) return;
  try {
    // First the archive has room but the program does not; then there is no room for the archive either.
    for (const filler of [0, 500_000]) {
      writeFileSync(join(home, "filler"), Buffer.alloc(filler));
      const { code, stderr } = await install({ home });
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^millrace: the disk of .+ is full, or cannot be written: free 10 MB there.+\n$/,
      );
      expect(readdirSync(home)).toEqual(["filler"]);
    }
  } finally {
    spawnSync("umount", [home]);
  }
});

test("2. a clock that is behind", async () => {
  const { key, certificate } = await makeCertificate(new Date(Date.now() + 3_600_000));
  const secure = createTlsServer({ key, cert: certificate }, (_, response) => response.end("x"));
  await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
  const origin = `https://127.0.0.1:${(secure.address() as AddressInfo).port}`;
  const home = place.home();
  const file = join(place.path, "certificate.pem");
  writeFileSync(file, certificate);
  const { code, stderr } = await install({
    home,
    text: script().replaceAll(server.origin, origin),
    env: { CURL_CA_BUNDLE: file },
  });
  expect(code).toBe(1);
  expect(stderr).toMatch(/has a certificate that is not valid at .+ clock: correct the clock.+\n$/);
  expect(readdirSync(home)).toEqual([]);
  secure.closeAllConnections();
  secure.close();
});

async function makeCertificate(notBefore: Date): Promise<{ key: string; certificate: string }> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: ["127.0.0.1"] }],
    notBefore,
    notAfter: new Date(notBefore.getTime() + 86_400_000),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new SubjectAlternativeNameExtension([{ type: "ip", value: "127.0.0.1" }])],
  });
  const der = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  return {
    key: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`,
    certificate: certificate.toString("pem"),
  };
}

test("3. npm, and upgrade", async () => {
  const home = place.home();
  const env = {
    HOME: home,
    npm_config_registry: "http://127.0.0.1:1",
    npm_config_prefix: join(home, ".local"),
    MILLRACE_URL: server.origin,
  };
  const installed = await collect("npm", ["install", "-g", `${server.origin}/cli/millrace.tgz`], { env });
  expect(installed.code, installed.stderr).toBe(0);
  const byNpm = (...args: string[]) => collect(join(home, ".local/bin/millrace"), args, { env });
  expect((await byNpm("upgrade")).stdout).toBe(`millrace 0.1.0 already matches ${server.origin}\n`);
  await install({ home });
  served.current = other;
  const upgraded = await byNpm("upgrade");
  expect(upgraded.stderr).toContain(`npm install -g ${server.origin}/cli/millrace.tgz\n`);
  expect((await byNpm("--version")).stdout).toBe("millrace 0.2.0\n");
  const byScript = await run(home, "upgrade");
  expect(byScript.stderr).toContain(`curl -fsSL ${server.origin}/install.sh | sh\n`);
  expect((await run(home, "--version")).stdout).toBe("millrace 0.2.0\n");
  served.change = changed;
  served.current = own;
  expect(await run(home, "upgrade")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("nothing was installed"),
  });
  expect((await run(home, "--version")).stdout).toBe("millrace 0.2.0\n");
  served.current = { folder: join(place.path, "none"), version: "" };
  expect(await run(home, "upgrade")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("does not provide the CLI"),
  });
}, 120_000);

test("4. another build", async () => {
  const home = place.home();
  await install({ home });
  const env = { HOME: home, MILLRACE_URL: server.origin, MILLRACE_TOKEN: USER_TOKEN };
  const atTerminal = (...args: string[]) =>
    runOnTerminal([join(home, ".millrace/bin/millrace"), ...args], { env, columns: 300 });
  expect((await atTerminal("whoami")).stdout).not.toContain("millrace:");
  served.current = other;
  expect(await run(home, "whoami")).toMatchObject({ code: 0, stderr: "" });
  expect((await atTerminal("whoami", "--output", "json")).stdout).not.toContain("millrace:");
  expect((await atTerminal("whoami")).stdout).toContain(
    `millrace: this is millrace 0.1.0, and the server at ${server.origin} is newer (0.2.0). To install the server's version, run: curl -fsSL ${server.origin}/install.sh | sh\r\n`,
  );
  expect((await atTerminal("projects", "list")).stdout).not.toContain("millrace:");
});

test("5. buildx", async () => {
  const home = place.home();
  await install({ home });
  const name = `buildx-linux-${process.arch === "x64" ? "amd64" : process.arch}`;
  const program = join(own.folder, "cli", name);
  const env = {
    HOME: home,
    MILLRACE_URL: server.origin,
    PATH: dirname(process.execPath),
    DOCKER_CONFIG: join(home, "docker"),
  };
  const main = join(home, ".millrace/bin/millrace");
  const bake = () => collect(process.execPath, [main, "bake", "--print"], { env });
  if (existsSync("/usr/libexec/docker/cli-plugins/docker-buildx")) return;
  const none = await bake();
  expect(none.stderr).toMatch(
    new RegExp(
      `no buildx on this machine, and ${server.origin} does not provide it: install .+ operator for ${name}\\n$`,
    ),
  );
  const text = '#!/bin/sh\necho "buildx $*"\n';
  writeFileSync(program, text);
  const sum = (of: string) => `${createHash("sha256").update(of).digest("hex")}  ${name}\n`;
  writeFileSync(`${program}.sha256`, sum("another"));
  const wrong = await bake();
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringMatching(/its SHA-256 is .+ try again\n$/) });
  const folder = join(home, ".cache/millrace/programs", new URL(server.origin).host.replace(":", "_"));
  expect(readdirSync(folder)).toEqual([]);
  writeFileSync(`${program}.sha256`, sum(text));
  const said = `millrace: fetched Docker's buildx from ${server.origin} (0 MB)\n`;
  expect(await bake()).toMatchObject({ code: 0, stdout: "buildx bake --print\n", stderr: said });
  served.asked = [];
  expect(await bake()).toMatchObject({ code: 0, stdout: "buildx bake --print\n", stderr: "" });
  expect(served.asked).toEqual([]);
  for (const each of [program, `${program}.sha256`]) rmSync(each);
});
