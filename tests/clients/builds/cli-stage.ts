/** The built CLI, a real server with builders, a base image in its registry, and folders of its own. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { buildCli, collect, type Ended, makePlace, runCli } from "../cli-process.ts";
import { findBuildKit, findBuildx, findCrane } from "../registry/tools.ts";
import { writeBaseImage } from "./base-image.ts";
import { type BuildServer, OWNER_TOKEN, startBuildServer } from "./build-server.ts";

export const BUILD_MS = 180_000;

export interface CliStage {
  server: BuildServer;
  buildx: string;
  crane: string;
  /** The CLI's file, for Node.js. */
  main: string;
  env: { [name: string]: string };
  home: string;
  /** The folder in which commands run; it has a `millrace.json`. */
  work: string;
  /** For files that are not part of a context. */
  folder: string;
  /** `localhost:3000/acme/hello`, which has the tag `base`. */
  image: string;
  /** Ids by name: `hello`, which `millrace.json` names, and `large`. */
  projects: Map<string, string>;
  write: (name: string, text: string) => void;
  /** These lines after the base image. */
  dockerfile: (...lines: string[]) => string;
  millrace: (args: string, more?: { [name: string]: string }) => Promise<Ended>;
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the server answers
  read: (id: string) => Promise<any>;
  /** Checks that no temporary files are left. */
  nothingLeft: () => void;
  close: () => Promise<void>;
}

/** The first build's id in a text. */
export const idOf = (text: string): string => /bld_[0-9a-z]{10}/.exec(text)?.[0] ?? text;

/** @returns files of any kind in a folder that have the text */
export const filesWith = (text: string, folder: string): Promise<string> =>
  new Promise((resolve, reject) =>
    execFile("grep", ["-rlaF", "--devices=skip", "--", text, folder], (error, stdout, told) => {
      // Files appear and disappear where builders run.
      const isRead = told
        .split("\n")
        .every((line) => line === "" || line.endsWith(": No such file or directory"));
      return error && !isRead ? reject(error) : resolve(stdout);
    }),
  );

/** @returns null, with a message, where a program cannot be had */
export async function openCliStage(): Promise<CliStage | null> {
  const [programs, crane, buildx] = [await findBuildKit(), await findCrane(), await findBuildx()];
  // Layers need a disk whose files can be laid over each other.
  const disk = mkdtempSync("/var/tmp/millrace-cli-builds-");
  const base = programs && crane && buildx ? await writeBaseImage(join(disk, "base")) : null;
  if (!programs || !crane || !buildx || !base) {
    rmSync(disk, { recursive: true, force: true });
    return null;
  }
  process.env["BUILDKITD"] = join(programs, "buildkitd");
  const place = makePlace();
  const home = place.home();
  const [work, temporary] = [join(place.path, "work"), join(place.path, "tmp")];
  const main = await buildCli(join(place.path, "package"));
  const server = await startBuildServer({ folder: disk });
  const projects = await createProjects(server, ["hello", "large"]);
  const { host } = new URL(server.origin);
  const { body: who } = await server.call("AccountService/WhoAmI", {});
  const image = `${host}/${who.organization}/hello`;
  for (const folder of [work, temporary, join(home, ".docker")]) mkdirSync(folder);
  const env = {
    HOME: home,
    TMPDIR: temporary,
    MILLRACE_URL: server.origin,
    MILLRACE_TOKEN: OWNER_TOKEN,
    MILLRACE_BUILDX: buildx,
  };
  await pushBase({ crane, home, host, from: base.folder, to: `${image}:base` });
  const write: CliStage["write"] = (name, text) => {
    mkdirSync(join(work, name, ".."), { recursive: true });
    writeFileSync(join(work, name), text);
  };
  write("millrace.json", JSON.stringify({ project: projects.get("hello") }));
  return {
    server,
    buildx,
    crane,
    main,
    env,
    home,
    work,
    image,
    projects,
    write,
    folder: place.path,
    dockerfile: (...lines) => [`FROM ${image}:base`, ...lines, ""].join("\n"),
    millrace: (args, more = {}) => runCli(main, args.split(" "), { env: { ...env, ...more }, cwd: work }),
    read: async (id) => (await server.call("BuildService/GetBuild", { build_id: id })).body.build,
    nothingLeft: () => expect(readdirSync(temporary)).toEqual([]),
    async close() {
      await server.close();
      place.remove();
      rmSync(disk, { recursive: true, force: true });
    },
  };
}

async function createProjects(server: BuildServer, names: readonly string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const name of names) {
    const { body } = await server.call("ProjectService/Create", { name });
    ids.set(name, body.project.id);
  }
  return ids;
}

interface PushedBase {
  crane: string;
  home: string;
  host: string;
  from: string;
  to: string;
}

async function pushBase({ crane, home, host, from, to }: PushedBase): Promise<void> {
  const auth = Buffer.from(`x-token:${OWNER_TOKEN}`).toString("base64");
  const config = join(home, ".docker", "config.json");
  writeFileSync(config, JSON.stringify({ auths: { [host]: { auth } } }));
  const pushed = await collect(crane, ["push", from, to], { env: { HOME: home } });
  // Builds have a login of their own.
  rmSync(config);
  if (pushed.code !== 0) throw new Error(pushed.stderr);
}
