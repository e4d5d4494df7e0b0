/**
 * Sources outside a build's context, by the built CLI with Docker's own buildx and real builders:
 *
 * 1. Secrets of a variable and of a file reach their step; afterwards the server has them nowhere: in no record, log, layer or cache.
 * 2. A step asks the user's SSH agent for a signature; the private key reaches nothing of the server.
 * 3. Named contexts: a folder, and an image.
 * 4. A Git repository is fetched by the builder: a branch and a folder of it.
 */
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { BUILD_MS, filesWith, idOf, openCliStage } from "./cli-stage.ts";
import { findAddress, serveRepository } from "./git-server.ts";
import { copyPrograms, startAgent } from "./ssh-agent.ts";

const stage = await openCliStage();
const agent = stage ? await startAgent(stage.folder) : null;
const address = findAddress();
afterAll(async () => {
  await agent?.close();
  await stage?.close();
}, BUILD_MS);

describe("sources of a build", { timeout: BUILD_MS }, () => {
  if (!stage) return void test.skip("without its programs");
  const { server, image, work, folder, write, dockerfile, millrace, read, nothingLeft } = stage;

  test("1. secrets", async () => {
    const [variable, file] = ["mm0vk1-of-a-variable", "qq7wx2-of-a-file"];
    mkdirSync(join(folder, "secrets"));
    writeFileSync(join(folder, "secrets/netrc"), `password ${file}\n`);
    write(
      "Dockerfile",
      dockerfile(
        `RUN --mount=type=secret,id=t,env=T,required=true printf %s "$T" | sha256sum`,
        "RUN --mount=type=secret,id=netrc,target=/root/.netrc,required=true sha256sum < /root/.netrc",
      ),
    );
    const flags = `--secret id=t,env=TOKEN --secret id=netrc,src=${join(folder, "secrets/netrc")}`;
    const built = await millrace(`build --save --progress plain ${flags} .`, { TOKEN: variable });
    expect(built.code, built.stderr).toBe(0);
    for (const value of [variable, `password ${file}\n`])
      expect(built.stderr).toContain(createHash("sha256").update(value).digest("hex"));
    const log = await millrace(`builds logs ${idOf(built.stderr)}`);
    for (const value of [variable, file]) {
      expect(built.stderr + log.stdout + JSON.stringify(await read(idOf(built.stderr)))).not.toContain(value);
      expect(await filesWith(value, server.folder)).toBe("");
    }
    // Neither the value nor the presence of a secret is part of a step's key.
    const without = await millrace("build --no-cache --progress plain .");
    expect(without.code).toBe(1);
    expect(without.stderr).toMatch(/secret t: not found/);
    nothingLeft();
  });

  test.skipIf(!agent)("2. an SSH agent", async () => {
    copyPrograms(["/usr/bin/ssh-add", "/usr/bin/ssh-keygen"], join(work, "ssh"));
    write("key.pub", agent!.publicKey);
    write(
      "Dockerfile",
      dockerfile(
        "COPY ssh /",
        "COPY key.pub /key.pub",
        "RUN --mount=type=ssh /usr/bin/ssh-add -l && echo text > text && /usr/bin/ssh-keygen -q -Y sign -f key.pub -n build text",
        "RUN /usr/bin/ssh-keygen -Y check-novalidate -n build -s text.sig < text",
      ),
    );
    const built = await millrace("build --ssh default --progress plain .", { SSH_AUTH_SOCK: agent!.socket });
    expect(built.code, built.stderr).toBe(0);
    expect(built.stderr).toContain(`${agent!.fingerprint} ada@laptop (ED25519)`);
    expect(built.stderr).toMatch(/Good "build" signature with ED25519 key/);
    expect(await filesWith(agent!.privateKey, server.folder)).toBe("");
    for (const name of ["ssh", "key.pub"]) rmSync(join(work, name), { recursive: true });
    nothingLeft();
  });

  test("3. named contexts", async () => {
    mkdirSync(join(folder, "shared"));
    writeFileSync(join(folder, "shared/name.txt"), "of another folder\n");
    write("Dockerfile", "FROM pinned\nCOPY --from=shared name.txt /\nRUN cat /name.txt\n");
    const flags = `--build-context shared=../shared --build-context pinned=docker-image://${image}:base`;
    const built = await millrace(`build --progress plain ${flags} .`);
    expect(built.code, built.stderr).toBe(0);
    expect(built.stderr).toMatch(/^#\d+ [\d.]+ of another folder$/m);
    nothingLeft();
  });

  test.skipIf(!address)("4. a Git repository", async () => {
    const repository = await serveRepository(join(folder, "git"), address!, {
      "service/Dockerfile": dockerfile("COPY name.txt /", "RUN cat /name.txt"),
      "service/name.txt": "of the branch\n",
    });
    try {
      const built = await millrace(`build --progress plain ${repository.url}#main:service`);
      expect(built.code, built.stderr).toBe(0);
      expect(built.stderr).toMatch(/^#\d+ [\d.]+ of the branch$/m);
      expect(built.stderr).toContain(repository.commit.slice(0, 12));
      expect(built.stderr).not.toContain("transferring context:");
    } finally {
      await repository.close();
    }
    nothingLeft();
  });
});
