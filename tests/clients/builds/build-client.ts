/** A client as in the API's tutorial: registers a build, reaches its builder, lets a stock `buildctl` solve, and reports the end. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Answer } from "./build-server.ts";
import type { BuildTools, Built } from "./machine-stage.ts";

export type Call = (method: string, request: object, token?: string) => Promise<Answer>;

const PLATFORM = process.arch === "arm64" ? "linux/arm64" : "linux/amd64";

export interface Project {
  id: string;
  name: string;
  /** A token of this project alone. */
  token: string;
}

/** @param settings such as `cache_size_bytes` */
export async function addProject(call: Call, name: string, settings: object = {}): Promise<Project> {
  const { body } = await call("ProjectService/Create", { name, ...settings });
  const { id } = body.project;
  const made = await call("TokenService/Create", { name, type: "project", project_id: id });
  return { id, name, token: made.body.secret };
}

export interface Way {
  /** buildctl's flags. */
  flags: readonly string[];
  address: string;
}

export interface Solving {
  child: ChildProcess;
  /** The output until now. */
  output: () => string;
  ended: Promise<Built>;
}

export interface SolveOptions {
  /** Files of the context by name, in addition to the Dockerfile. */
  files?: Readonly<Record<string, string>>;
  more?: readonly string[];
  /** A folder with logins. */
  config?: string;
  /** Leaves its standard output unread. */
  isUnread?: boolean;
}

export function createClient(call: Call, tools: BuildTools) {
  const makeFolder = () => mkdtempSync(join(tools.folder, "client-"));
  const create = async ({ id, token }: Project): Promise<string> => {
    const { body } = await call("BuildService/CreateBuild", { project_id: id }, token);
    return body.build.id;
  };
  /** Credentials of the project's own token, as `docker login` keeps them. */
  function login({ token }: Project, host: string): string {
    const folder = makeFolder();
    const auth = Buffer.from(`x-token:${token}`).toString("base64");
    writeFileSync(join(folder, "config.json"), JSON.stringify({ auths: { [host]: { auth } } }));
    return folder;
  }
  async function reach({ token }: Project, buildId: string, platform = PLATFORM): Promise<Way> {
    const request = { build_id: buildId, platform };
    const { status, body } = await call("BuilderService/GetEndpoint", request, token);
    if (status !== 200) throw new Error(body.message);
    const folder = makeFolder();
    const save = (name: string, text: string) => {
      writeFileSync(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const flags = [
      `--addr=${body.address}`,
      `--tlsservername=${body.server_name}`,
      `--tlscacert=${save("ca.pem", body.ca_certificate)}`,
      `--tlscert=${save("cert.pem", body.client_certificate)}`,
      `--tlskey=${save("key.pem", body.client_key)}`,
    ];
    return { flags, address: body.address };
  }
  function run(args: readonly string[], { config, isUnread = false }: SolveOptions = {}): Solving {
    const home = makeFolder();
    const child = spawn(join(tools.programs, "buildctl"), args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], HOME: home, DOCKER_CONFIG: config ?? home },
    });
    let output = "";
    const note = (text: string) => void (output += text);
    child.stderr.setEncoding("utf8").on("data", note);
    if (!isUnread) child.stdout.setEncoding("utf8").on("data", note);
    // Not `close`, which waits for a reader.
    const ended = new Promise<Built>((resolve) =>
      child.once(isUnread ? "exit" : "close", (code) => resolve({ code: code ?? -1, output })),
    );
    return { child, output: () => output, ended };
  }
  function solve({ flags }: Way, dockerfile: string, options: SolveOptions = {}): Solving {
    const context = join(makeFolder(), "context");
    mkdirSync(context);
    for (const [name, text] of Object.entries({ Dockerfile: dockerfile, ...options.files }))
      writeFileSync(join(context, name), text);
    const args = [
      [...flags, "build", "--progress=plain", "--frontend=dockerfile.v0"],
      [`--local=context=${context}`, `--local=dockerfile=${context}`],
      [`--oci-layout=base=${tools.base.folder}`],
      [`--opt=context:base=oci-layout://base@${tools.base.digest}`],
      options.more ?? [],
    ].flat();
    return run(args, options);
  }
  const finish = async ({ token }: Project, buildId: string, { code }: Built) =>
    (
      await call(
        "BuildService/FinishBuild",
        { build_id: buildId, succeeded: code === 0, error: code === 0 ? "" : `buildctl ended with ${code}` },
        token,
      )
    ).body.build;
  return {
    create,
    login,
    reach,
    run,
    solve,
    finish,
    /** @returns the record */
    read: async (buildId: string) => (await call("BuildService/GetBuild", { build_id: buildId })).body.build,
    /** From its registration to its end. @param dockerfile in which `base` is the base image */
    async build(project: Project, dockerfile: string, options: SolveOptions = {}) {
      const id = await create(project);
      const solving = solve(await reach(project, id), dockerfile, options);
      const built = await solving.ended;
      return { id, ...built, record: await finish(project, id, built) };
    },
  };
}

export type Client = ReturnType<typeof createClient>;
