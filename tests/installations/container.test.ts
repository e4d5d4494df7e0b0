/**
 * The images of `deploy/Dockerfile` and the Compose files, by a real Docker engine. Base images and BuildKit's programs
 * come from this machine instead of Docker Hub, and the stages that install packages of npm are replaced.
 *
 * 1. The container of `compose.yaml` is ready without any capability of its own. An image is built in it with a network,
 *    built again, and built after a restart of the container: CACHED, both times.
 * 2. Every right in `compose.yaml` is needed: if any is missing, nothing is built.
 * 3. With `compose.privileged.yaml`, builders of root build, and have limits.
 * 4. The slim image serves, without any right, and so does the other image; the log and a build say what is missing.
 * 5. `seccomp.json` is Docker's own profile and the rule for builders.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "#server/pages/build-folders.ts";
import { makeProfile } from "../../scripts/update-seccomp.ts";
import { OWNER_TOKEN } from "../clients/builds/build-server.ts";
import { findBuildKit, findBuildx } from "../clients/registry/tools.ts";
import { readSlim } from "../deploy/dockerfile.ts";
import { type Engine, findRoots, startEngine, until } from "./container-engine.ts";
import { buildImage, prepareFolders } from "./container-images.ts";

const TEST_MS = 600_000;
const CONTAINER = "millrace-server-1";
const ORIGIN = "http://localhost:3000";

const [roots, programs, buildx] = [await findRoots(), await findBuildKit(), await findBuildx()];

let engine: Engine;
/** `name@digest` of the base image, in the folder `base` of the shared folder. */
let base: string;

/** Runs in a container next to the server's, in the same network. */
const CLIENT = `set -e
cd /tmp
cat > millrace.json
printf 'FROM base\\nRUN wget -qO- http://%s:3000/healthz\\n' "$1" > Dockerfile
exec node /share/cli/dist/main.js build --progress plain --build-context "base=oci-layout:///share/base/layout@$2" .
`;

/** @param files of `deploy`; the first one determines the project */
async function compose(files: readonly string[], ...words: string[]): Promise<void> {
  const all = [...files.map((file) => `repository/deploy/${file}`), "owner.yaml"];
  const named = all.flatMap((file) => ["--file", `${engine.inside}/${file}`]);
  const env = { SITE_ORIGIN: ORIGIN };
  const { code, output } = await engine.run(["docker-compose", ...named, ...words], env);
  expect(code, output).toBe(0);
}

const READY = `fetch("${ORIGIN}/readyz").then(({ status }) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))`;
const isReady = async () => {
  const { code } = await engine.run(["docker", "exec", CONTAINER, "node", "-e", READY]);
  return code === 0;
};

async function start(...files: string[]): Promise<void> {
  await compose(files, "up", "--detach", "--no-build");
  await untilReady();
}

const logs = async () => (await engine.run(["docker", "logs", CONTAINER])).output;

async function untilReady(): Promise<void> {
  try {
    await until(isReady);
  } catch (error) {
    throw new Error(`The container is not ready: ${await logs()}`, { cause: error });
  }
}

const stop = (...files: string[]) => compose(files, "down", "--volumes");

const inServer = async (...words: string[]) => {
  const { code, output } = await engine.run(["docker", "exec", CONTAINER, ...words]);
  expect(code, output).toBe(0);
  return output;
};

const ASK = `const [method, body] = process.argv.slice(1);
const headers = { authorization: "Bearer ${OWNER_TOKEN}", "content-type": "application/json" };
fetch("http://localhost:3000/api/millrace.v1." + method, { method: "POST", headers, body })
  .then((answer) => answer.text()).then(console.log);`;

const createProject = async () => {
  const told = await inServer("node", "-e", ASK, "ProjectService/Create", '{"name":"web"}');
  return (JSON.parse(told) as { project: { id: string } }).project.id;
};

/** Uses the CLI, with the image's buildx for other clients. */
async function buildByCli(project: string) {
  const address = (await inServer("hostname", "--ip-address")).trim();
  const env = {
    MILLRACE_URL: ORIGIN,
    MILLRACE_TOKEN: OWNER_TOKEN,
    MILLRACE_BUILDX: "/usr/local/lib/millrace/buildx-linux-amd64",
    HOME: "/tmp",
  };
  const variables = Object.entries(env).flatMap(([name, value]) => ["--env", `${name}=${value}`]);
  const script = `echo '{"project":"${project}"}' | sh -c '${CLIENT.replaceAll("'", String.raw`'\''`)}' sh ${address} ${base}`;
  return engine.run(
    ["docker", "run", "--rm", "--init", "--network", `container:${CONTAINER}`].concat(
      variables,
      "--volume",
      `${engine.inside}:/share:ro`,
      "millrace:local",
      "timeout",
      "120",
      "sh",
      "-c",
      script,
    ),
  );
}

describe.skipIf(!roots || !programs || !buildx)("a container", { timeout: TEST_MS }, () => {
  beforeAll(async () => {
    engine = await startEngine(roots!, readSlim().image);
    base = await prepareFolders(engine, { programs: programs!, buildx: buildx! });
    await buildImage(engine, "builders", "millrace:local");
    await buildImage(engine, "slim", "millrace:slim");
  }, 2 * TEST_MS);
  afterAll(() => engine?.close(), TEST_MS);

  test("1. builds, and again from the cache after a restart", async () => {
    await start("compose.yaml");
    const status = await inServer("cat", "/proc/self/status");
    // 6 and 7 are CAP_SETGID and CAP_SETUID: no process gets more, and the server has neither.
    expect(status).toMatch(/^CapEff:\s+0{16}$/m);
    expect(status).toMatch(/^CapBnd:\s+0{14}c0$/m);
    expect(status).toMatch(/^Seccomp:\s+2$/m);
    expect(status).toMatch(/^Uid:\s+1000\s+1000/m);
    const project = await createProject();
    const first = await buildByCli(project);
    expect(first.code, first.output).toBe(0);
    expect(first.output).toContain('{"status":"alive"}');
    const again = await buildByCli(project);
    expect(again.output).toMatch(/^#\d+ CACHED$/m);
    await engine.run(["docker", "restart", CONTAINER]);
    await untilReady();
    const afterwards = await buildByCli(project);
    expect(afterwards.code, afterwards.output).toBe(0);
    expect(afterwards.output).toMatch(/^#\d+ CACHED$/m);
    await stop("compose.yaml");
  });

  test("2. every right is needed", async () => {
    // The needs of the first steps of a builder and of its network, tried in sequence.
    const script = [
      "unshare --user --map-root-user --map-auto unshare --net --mount --pid --fork --mount-proc sh -c 'ip link set lo up'",
      "test -w /dev/net/tun",
    ].join(" && ");
    const { services } = parse(readFileSync(join(root, "deploy/compose.yaml"), "utf8")) as {
      services: { server: { cap_add: string[]; devices: string[]; security_opt: string[] } };
    };
    const { cap_add, devices, security_opt } = services.server;
    const rights = [
      ...cap_add.map((name) => `--cap-add=${name}`),
      ...devices.map((path) => `--device=${path}`),
      ...security_opt.map(
        (option) => `--security-opt=${option.replace(":./", `=${engine.inside}/repository/deploy/`)}`,
      ),
    ];
    const attempt = (given: readonly string[]) =>
      engine.run(
        ["docker", "run", "--rm", "--init", "--cap-drop=ALL", "--read-only", ...given].concat(
          "millrace:local",
          ["timeout", "--signal=KILL", "20", "sh", "-c", script],
        ),
      );
    const all = await attempt(rights);
    expect(all.code, all.output).toBe(0);
    for (const left of rights) {
      // The engine of the test has no AppArmor.
      if (left.includes("apparmor")) continue;
      const { code } = await attempt(rights.filter((each) => each !== left));
      expect(code, left).not.toBe(0);
    }
  });

  test("3. privileged", async () => {
    const files = ["compose.yaml", "compose.privileged.yaml"];
    await start(...files);
    const project = await createProject();
    const { code, output } = await buildByCli(project);
    expect(code, output).toBe(0);
    expect(await logs()).not.toContain("without some of their limits");
    await stop(...files);
  });

  test("4. slim", async () => {
    await start("compose.slim.yaml");
    expect(await inServer("cat", "/proc/self/status")).toMatch(/^CapBnd:\s+0{16}$/m);
    const page = `fetch("${ORIGIN}/docs/cache/overview").then((answer) => console.log(answer.status))`;
    expect(await inServer("node", "-e", page)).toBe("200\n");
    const { code, output } = await buildByCli(await createProject());
    expect(code).not.toBe(0);
    expect(output).toMatch(/\brunc\b.* (?:is|are) missing/);
    expect(await logs()).toContain("use the image that has them");
    await stop("compose.slim.yaml");
  });

  test("4. without rights", async () => {
    const { code, output } = await engine.run(["docker", "tag", "millrace:local", "millrace:slim"]);
    expect(code, output).toBe(0);
    await start("compose.slim.yaml");
    // Printed after the address, when the check is done.
    await until(async () => (await logs()).includes("with the rights that deploy/compose.yaml gives it"));
    const built = await buildByCli(await createProject());
    expect(built.code).not.toBe(0);
    expect(built.output).toContain("is not allowed to create the namespaces that builders run in");
    await stop("compose.slim.yaml");
  });

  test("5. the profile", () => {
    expect(JSON.parse(readFileSync(join(root, "deploy/seccomp.json"), "utf8"))).toEqual(makeProfile());
  });
});
