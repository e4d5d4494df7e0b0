/**
 * The documentation's statements about the keys of steps, checked against a real `buildkitd` and buildx. Each sentence
 * is on its page.
 *
 * 1. `FROM`: the digest, not the name. 2. `COPY`: path, content, mode, and the owner of another stage's file; neither
 * times nor the owner in the context. 3. `--chmod` takes the x bit from directories and changes no key; equal modes do.
 * 4. `RUN`: its text, and each `ARG` and `ENV` above it, used or not; a `COPY` between stays. 5. Mounts. 6. Later
 * steps, and steps of other stages.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findBuildKit, findBuildx } from "../registry/tools.ts";
import { writeBaseImage } from "./base-image.ts";
import { openStepKeysStage, type StepKeysStage } from "./step-keys-stage.ts";

const BUILD_MS = 180_000;
const GUIDES = "content/docs/container-builds";
const pages = {
  misses: readFileSync(`${GUIDES}/troubleshooting/cache-misses.mdx`, "utf8"),
  rules: readFileSync(`${GUIDES}/how-to-guides/optimal-dockerfiles.mdx`, "utf8"),
  troubles: readFileSync(`${GUIDES}/troubleshooting.mdx`, "utf8"),
};
const says = (page: keyof typeof pages, text: string) => expect(pages[page]).toContain(text);

const [programs, buildx] = [await findBuildKit(), await findBuildx()];
// Layers need a disk whose files can be laid over each other.
const disk = mkdtempSync("/var/tmp/millrace-step-keys-");
const base = programs && buildx ? await writeBaseImage(join(disk, "base")) : null;
const other = base && (await writeBaseImage(join(disk, "other"), { other: "#!/bin/sh\n" }));
afterAll(() => rmSync(disk, { recursive: true, force: true }));

describe.runIf(base)("keys of steps", { timeout: BUILD_MS }, () => {
  let stage: StepKeysStage;
  beforeAll(async () => {
    if (!programs || !buildx || !base) return;
    stage = await openStepKeysStage({ programs, buildx, base, folder: join(disk, "stage") });
  }, BUILD_MS);
  afterAll(() => stage?.close());
  beforeEach(({ task }) => {
    inContext(
      "rm -rf ./* && umask 022 && mkdir -p config/sub src && echo 1 > config/sub/a.conf && echo 2 > src/b.txt",
    );
    // Tests do not find each other's steps.
    stage.write("name.txt", task.name);
  });

  const inContext = (script: string) => execFileSync("sh", ["-c", script], { cwd: stage.context });
  const at = (path: string) => join(stage.context, path);
  /** The steps that run once `lines` are in the layer cache and then something has changed. */
  async function ranAfter(lines: readonly string[], change: () => void, ...flags: string[]) {
    await stage.build(lines);
    change();
    return stage.build(lines, ...flags);
  }

  test("1. FROM", async () => {
    says("misses", "| `FROM` | the digest that the tag points to now | the tag's name |");
    const named = (image: typeof base) => [
      "--build-context",
      `named=oci-layout://${image?.folder}@${image?.digest}`,
    ];
    await stage.build(["FROM base", "RUN echo from"]);
    expect(await stage.build(["FROM named", "RUN echo from"], ...named(base))).toEqual([]);
    expect(await stage.build(["FROM named", "RUN echo from"], ...named(other))).toEqual(["RUN echo from"]);
  });

  test("2. COPY", async () => {
    says("misses", "path, content and mode of each file, and its owner if it comes from another stage");
    says("misses", "times of the files, and their owner in the build context");
    says("rules", "The times of files do not count; their contents and modes do.");
    const copy = ["FROM base", "COPY src /src"];
    const later = new Date(Date.now() + 60_000);
    expect(await ranAfter(copy, () => utimesSync(at("src/b.txt"), later, later))).toEqual([]);
    expect(await ranAfter(copy, () => chownSync(at("src/b.txt"), 1000, 1000))).toEqual([]);
    expect(await ranAfter(copy, () => chmodSync(at("src/b.txt"), 0o600))).toEqual([copy[1]]);
    expect(await ranAfter(copy, () => stage.write("src/b.txt", "3"))).toEqual([copy[1]]);
    expect(await ranAfter(copy, () => renameSync(at("src/b.txt"), at("src/c.txt")))).toEqual([copy[1]]);
    const owned = (owner: number) => [
      "FROM base AS build",
      `RUN echo k > /k && chown ${owner} /k`,
      "FROM base",
      "COPY --from=build /k /k",
    ];
    await stage.build(owned(1));
    expect(await stage.build(owned(2))).toContain("COPY --from=build /k /k");
  });

  test("3. modes of another machine", async () => {
    says("misses", "`COPY --chmod` does not help");
    says("misses", "A number such as `0644` also takes the executable bit from directories");
    says("rules", "if both have the same umask");
    for (const chmod of ["0644", "u=rwX,go=rX"]) {
      const copy = ["FROM base", `COPY --chmod=${chmod} src /src`];
      expect(await ranAfter(copy, () => chmodSync(at("src/b.txt"), 0o600))).toEqual([copy[1]]);
      chmodSync(at("src/b.txt"), 0o644);
    }
    const modeOf = (path: string, mode: number) => `RUN test "$(stat -c %a ${path})" = ${mode}`;
    await stage.build(["FROM base", "COPY --chmod=0644 config /config", modeOf("/config/sub", 644)]);

    const cure = /```console\n\$ (chmod -R .*)\n```/.exec(pages.misses)?.[1] ?? "exit 1";
    const checkOut = (umask: string) =>
      inContext(
        `rm -rf ./* && umask ${umask} && mkdir -p a/b && echo 1 > a/b/c && echo 2 > run && chmod +x run`,
      );
    const copy = ["FROM base", "COPY . /context"];
    checkOut("022");
    await stage.build(copy);
    for (const umask of ["0077", "0002"]) {
      checkOut(umask);
      expect(await stage.build(copy), umask).toEqual([copy[1]]);
      inContext(cure);
      expect(await stage.build(copy), umask).toEqual([]);
    }
  });

  test("4. ARG and ENV", async () => {
    says("misses", "its text, and every `ENV` and `ARG` above it in the stage, used or not");
    says("misses", "arguments that the stage does not declare");
    says("misses", "A `COPY` that does not name it stays cached, unless a `RUN` between the two had to run.");
    says("troubles", "| Cold from the first `RUN` below an `ARG` on |");
    says("rules", "counts for every `RUN` below it, whether the step uses it or not");
    const arg = (value: string, name = "COMMIT") => ["--build-arg", `${name}=${value}`];
    const ranWith = async (lines: readonly string[], ...flags: string[]) => {
      await stage.build(lines, ...arg("1"));
      return stage.build(lines, ...flags);
    };
    const above = ["FROM base", "ARG COMMIT", "COPY src /src", "RUN echo install", "COPY config /config"];
    expect(await ranWith(above, ...arg("2"))).toEqual(["RUN echo install", "COPY config /config"]);
    expect(await ranWith(above, ...arg("1"), ...arg("x", "OTHER"))).toEqual([]);
    expect(await ranWith(above, ...arg("1"), ...arg("http://proxy", "HTTP_PROXY"))).toEqual([]);
    const named = ["FROM base", "ARG COMMIT", "COPY src /$COMMIT/"];
    expect(await ranWith(named, ...arg("2"))).toEqual(["COPY src /2/"]);
    const below = ["FROM base", "RUN echo last", "ARG COMMIT", "LABEL commit=$COMMIT", "ENV C=$COMMIT"];
    expect(await ranWith(below, ...arg("2"))).toEqual([]);
    expect(await ranWith(["ARG COMMIT", "FROM base", "RUN echo global"], ...arg("2"))).toEqual([]);
    const env = (value: number) => ["FROM base", `ENV V=${value}`, "COPY src /env", "RUN echo env"];
    await stage.build(env(1));
    expect(await stage.build(env(2))).toEqual(["RUN echo env"]);
    await stage.build(["FROM base", "RUN date > /d"]);
    expect(await stage.build(["FROM base", "RUN date > /d"])).toEqual([]);
  });

  test("5. mounts", async () => {
    says("misses", "| `RUN` with `--mount=type=bind` | the mounted files as well | files beside them |");
    says(
      "misses",
      "| the mount's target | the content of the cache, and another value of `id` or `sharing` |",
    );
    says("rules", "The step's key covers both files");
    const bind = ["FROM base", "RUN --mount=type=bind,source=src/b.txt,target=/b cat /b"];
    expect(await ranAfter(bind, () => stage.write("src/beside.txt", "x"))).toEqual([]);
    expect(await ranAfter(bind, () => stage.write("src/b.txt", "x"))).toEqual([bind[1]]);
    const cache = (options: string) => [
      "FROM base",
      `RUN --mount=type=cache,${options} date | tee -a /c/log`,
    ];
    await stage.build(cache("target=/c"));
    expect(await stage.build(cache("target=/c"))).toEqual([]);
    await stage.build(cache("target=/c,id=one,sharing=locked"));
    expect(await stage.build(cache("target=/c,id=two,sharing=private"))).toEqual([]);
    const elsewhere = cache("target=/c/inner,id=two");
    expect(await stage.build(elsewhere)).toEqual([elsewhere[1]]);
  });

  test("6. steps below, and other stages", async () => {
    says(
      "misses",
      "Everything below it in the same stage had to run, because its parent was new; only `COPY --link` does without one.",
    );
    says(
      "misses",
      "A stage that runs again and gives the same files changes nothing in the stages that copy them.",
    );
    says("rules", "this step and everything after it in the same stage run again");
    says("misses", "To run one stage again without touching the rest, pass `--no-cache-filter build`");
    const chain = ["FROM base", "COPY src /a", "RUN echo chain", "COPY --link config /b", "COPY name.txt /c"];
    const ran = await ranAfter(chain, () => stage.write("src/b.txt", "4"));
    expect(ran).toEqual(expect.arrayContaining(["COPY src /a", "RUN echo chain", "COPY name.txt /c"]));
    expect(ran).not.toContain("COPY --link config /b");
    const stages = [
      "FROM base AS build",
      "COPY src /a",
      "RUN echo same > /out",
      "FROM base",
      "COPY --from=build /out /",
    ];
    expect(await ranAfter(stages, () => stage.write("src/b.txt", "5"))).toEqual([stages[1], stages[2]]);
    const filtered = await ranAfter(stages, () => {}, "--no-cache-filter", "build");
    expect(filtered).toEqual([stages[1], stages[2]]);
  });
});
