/**
 * Secrets that steps print, by the built CLI with Docker's own buildx and real builders. The terminal shows buildx'
 * output; the server has them nowhere: not in a log, record, answer or file, its builders' own records included.
 *
 * 1. Whole, in two writes, base64, hexadecimal, in an address, traced by the shell, a key of several lines; by steps
 *    that succeed, fail and warn; the step's failure and its lines of the Dockerfile are there nevertheless.
 * 2. While the build runs, and after it was canceled.
 * 3. Secrets of another build that runs the same step at the same time, whose output both see.
 * 4. Short values stay, as the documentation says; a build argument that looks like a secret does not.
 * 5. A secret as large as one may be is masked; a build that mounts more than can be masked fails, and says why.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { OWNER_TOKEN } from "./build-server.ts";
import { BUILD_MS, filesWith, idOf, openCliStage } from "./cli-stage.ts";

const stage = await openCliStage();
afterAll(() => stage?.close(), BUILD_MS);

const FORGET_MS = 20_000;
const base64 = (text: string) => Buffer.from(text).toString("base64");

describe("secrets that steps print", { timeout: 2 * BUILD_MS }, () => {
  if (!stage) return void test.skip("without its programs");
  const { server, main, env, work, folder, write, dockerfile, millrace, read, nothingLeft } = stage;

  /** Everything that the server reports about a build, and about its project. */
  async function toldOf(id: string): Promise<string> {
    const build = await read(id);
    const explained = build.steps.map(({ id: step }: { id: string }) =>
      server.call("BuildService/ExplainStep", { build_id: id, step_id: step }),
    );
    const listed = await server.call("BuildService/ListBuilds", { project_id: build.project_id });
    const log = await millrace(`builds logs ${id}`);
    expect(log.code, log.stderr).toBe(0);
    const all = [build, await Promise.all(explained), listed, await watch(id), server.logged];
    return `${log.stdout}${JSON.stringify(all)}`;
  }
  /** A build prints its id only at its end. */
  const newest = async (): Promise<string> =>
    (await server.call("BuildService/ListBuilds", {})).body.builds[0].id;
  /** Watches a build as a browser does. */
  async function watch(id: string): Promise<string> {
    const message = Buffer.from(JSON.stringify({ build_id: id }));
    const head = Buffer.alloc(5);
    head.writeUInt32BE(message.length, 1);
    const answer = await fetch(`${server.origin}/api/millrace.v1.BuildService/WatchBuild`, {
      method: "POST",
      headers: { authorization: `Bearer ${OWNER_TOKEN}`, "content-type": "application/connect+json" },
      body: Buffer.concat([head, message]),
    });
    expect(answer.status).toBe(200);
    return answer.text();
  }
  function start(args: string, more: { [name: string]: string } = {}) {
    const child: ChildProcess = spawn(process.execPath, [main, ...args.split(" ")], {
      env: { PATH: process.env["PATH"], ...env, ...more },
      cwd: work,
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let output = "";
    const waiting = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (chunk: string) => {
        output += chunk;
        for (const look of waiting) look();
      });
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
    const shows = (pattern: RegExp) =>
      new Promise<void>((resolve, reject) => {
        const look = () => pattern.test(output) && resolve();
        waiting.add(look);
        look();
        void ended.then(() => reject(new Error(`${pattern} does not come: ${output}`)));
      });
    return { ended, output: () => output, shows };
  }
  async function expectNowhere(id: string, values: readonly string[]): Promise<string> {
    const told = await toldOf(id);
    for (const value of values) {
      expect(told).not.toContain(value);
      // A builder removes its own records when the build has ended.
      await expect.poll(() => filesWith(value, server.folder), { timeout: FORGET_MS }).toBe("");
    }
    return told;
  }

  test("1. in many ways", async () => {
    const [token, key] = ["tk0vk1/print+ed?by", "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC"];
    const pem = `-----BEGIN PRIVATE KEY-----\n${key}\nsecond-line-of-it-0123\n-----END PRIVATE KEY-----\n`;
    writeFileSync(join(folder, "key.pem"), pem);
    const mount = "RUN --mount=type=secret,id=t,env=T --mount=type=secret,id=key";
    write(
      "Dockerfile",
      dockerfile(
        `${mount} echo "whole $T." && printf 'halves %s' "$(echo $T | cut -c1-8)" && sleep 0.3 && echo "$T" | cut -c9-`,
        `${mount} echo "$T" | base64 && printf %s "x:$T" | base64 && printf %s "$T" | xxd -p && cat /run/secrets/key`,
        `${mount} base64 /run/secrets/key && echo $(cat /run/secrets/key) && echo "https://x/?t=$(printf %s "$T" | sed 's,/,%2F,;s,+,%2B,;s,?,%3F,')&"`,
        `${mount} set -x; test "$T" = other || echo "$T is wrong" >&2; exit 3`,
      ),
    );
    const flags = `--secret id=t,env=TOKEN --secret id=key,src=${join(folder, "key.pem")}`;
    const built = await millrace(`build --progress plain ${flags} .`, { TOKEN: token });
    expect(built.code).toBe(1);
    // buildx' output goes to the user's own terminal.
    expect(built.stderr).toContain(`whole ${token}.`);
    expect(built.stderr).toContain(`halves ${token}`);
    const id = idOf(built.stderr);
    const hex = Buffer.from(token).toString("hex");
    const values = [token, key, "second-line-of-it", base64(token).slice(0, -4), hex];
    const told = await expectNowhere(id, [
      ...values,
      base64(`x:${token}`).slice(4, -4),
      base64(pem).slice(0, 20),
      encodeURIComponent(token),
    ]);
    for (const shown of ["whole ***.", "halves ***", "https://x/?t=***&", "*** is wrong"])
      expect(told).toContain(shown);
    const build = await read(id);
    expect(build).toMatchObject({ state: "failed", error: expect.stringContaining("exit code: 3") });
    expect(build.source.lines.join("\n")).toContain("is wrong");
    nothingLeft();
  });

  test("2. while it runs, and canceled", async () => {
    const token = "tk2mw8-while-it-runs";
    write("Dockerfile", dockerfile('RUN --mount=type=secret,id=t,env=T echo "begun $T" && sleep 1000'));
    const building = start("build --progress plain --secret id=t,env=TOKEN .", { TOKEN: token });
    await building.shows(/begun tk2mw8-while-it-runs$/m);
    const id = await newest();
    const reading = start(`builds logs ${id}`);
    await reading.shows(/begun \*\*\*$/m);
    expect(reading.output()).not.toContain(token);
    await server.call("BuildService/CancelBuild", { build_id: id });
    expect(await building.ended).not.toBe(0);
    await reading.ended;
    await expectNowhere(id, [token]);
  });

  test("3. of another build", async () => {
    const token = "tk3ab9-of-the-first-build";
    const wait = "--mount=type=cache,id=gate,target=/gate";
    const shared = `RUN --mount=type=secret,id=t,env=T ${wait} while ! test -f /gate/go; do sleep 0.1; done; echo "got $T"`;
    write("Dockerfile", dockerfile(shared));
    const first = start("build --progress plain --secret id=t,env=TOKEN .", { TOKEN: token });
    await first.shows(/RUN --mount=type=secret/);
    const second = start("build --progress plain .");
    await second.shows(/RUN --mount=type=secret/);
    write("Gate", dockerfile(`RUN ${wait} touch /gate/go`));
    expect((await millrace("build -f Gate .")).code).toBe(0);
    expect(await Promise.all([first.ended, second.ended])).toEqual([0, 0]);
    const ids = [first, second].map(({ output }) => idOf(output()));
    expect(second.output()).toContain(`got ${token}`);
    for (const id of ids) expect(await expectNowhere(id, [token])).toContain("got ***");
  });

  test("4. short values, and arguments", async () => {
    write(
      "Dockerfile",
      dockerfile("ARG API_TOKEN", 'RUN --mount=type=secret,id=t,env=T echo "short $T, argument $API_TOKEN"'),
    );
    const built = await millrace(
      "build --progress plain --secret id=t,env=TOKEN --build-arg API_TOKEN=tk4-argument .",
      { TOKEN: "12345" },
    );
    expect(built.code, built.stderr).toBe(0);
    expect(await toldOf(idOf(built.stderr))).toContain("short 12345, argument ***");
  });

  test("5. large ones, and too many", async () => {
    const ids = Array.from({ length: 10 }, (_, at) => `s${at}`);
    const lines = (id: string) =>
      Array.from({ length: 14_000 }, (_, at) => `${id} of tk5 has the line ${at} and more of it`);
    for (const id of ids)
      writeFileSync(
        join(folder, id),
        lines(id)
          .join("\n")
          .slice(0, 500 * 1024),
      );
    const mount = (id: string) => `--mount=type=secret,id=${id},required=true`;
    const flags = ids.map((id) => `--secret id=${id},src=${join(folder, id)}`).join(" ");
    write("Dockerfile", dockerfile(`RUN ${mount("s0")} cat /run/secrets/s0 && echo read`));
    const one = await millrace(`build --progress plain ${flags} .`);
    expect(one.code, one.stderr.slice(-2000)).toBe(0);
    const log = await millrace(`builds logs ${idOf(one.stderr)}`);
    expect(log.stdout).toMatch(/\bread$/m);
    expect(log.stdout).not.toContain("of tk5 has the line");
    write("Dockerfile", dockerfile(`RUN ${ids.map(mount).join(" ")} echo never`));
    const many = await millrace(`build --progress plain ${flags} .`);
    expect(many.code).toBe(1);
    expect(many.stderr).toContain("mount at most 4 MB of secrets at a time");
    expect(await read(idOf(many.stderr))).toMatchObject({ state: "failed" });
    nothingLeft();
  });
});
