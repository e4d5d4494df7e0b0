/** The API's tutorial for tests: its page's programs, a project with its base image, and the environment that they need. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { BaseImage } from "./base-image.ts";
import { addProject, type Project } from "./build-client.ts";
import type { BuildServer } from "./build-server.ts";

export const TUTORIAL_PAGE = join(
  import.meta.dirname,
  "../../../content/docs/api/api-container-builds-tutorial.mdx",
);

export interface Tutorial {
  project: Project;
  env: NodeJS.ProcessEnv;
  /** The base image, in the project's own repository. */
  image: string;
}

export async function openTutorial(
  server: BuildServer,
  { work, programs, crane, base }: { work: string; programs: string; crane: string; base: BaseImage },
): Promise<Tutorial> {
  process.env["BUILDKITD"] = join(programs, "buildkitd");
  const project = await addProject(server.call, "hello");
  const { body: who } = await server.call("AccountService/WhoAmI", {});
  const env = {
    PATH: [programs, dirname(process.execPath), process.env["PATH"]].join(delimiter),
    HOME: work,
    DOCKER_CONFIG: join(work, "docker"),
    MILLRACE_URL: server.origin,
    MILLRACE_ORG: who.organization,
    MILLRACE_PROJECT: project.id,
    MILLRACE_TOKEN: project.token,
  };
  const { host } = new URL(server.origin);
  const auth = Buffer.from(`x-token:${project.token}`).toString("base64");
  await mkdir(env.DOCKER_CONFIG);
  await writeFile(join(env.DOCKER_CONFIG, "config.json"), JSON.stringify({ auths: { [host]: { auth } } }));
  const image = `${host}/${who.organization}/hello:base`;
  await promisify(execFile)(crane, ["push", base.folder, image], { env });
  return { project, env, image };
}
