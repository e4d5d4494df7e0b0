/** The project's repository on this server. */
import { CliError } from "../errors.ts";
import { findProject } from "../find-project.ts";
import {
  connectTo,
  type Credential,
  findCredential,
  type Invocation,
  requireProject,
  type Session,
} from "../session.ts";
import type { RepositoryOptions } from "./registry-access.ts";

export interface ProjectRepository {
  session: Session;
  credential: Credential;
  projectId: string;
  /** `build.acme.example` */
  host: string;
  /** `acme/web` */
  path: string;
}

const NAME_PART = /^[a-z0-9._-]{1,128}$/;

/** @throws CliError without a project or a credential */
export async function findProjectRepository(call: Invocation): Promise<ProjectRepository> {
  const named = await requireProject(call);
  const credential = await findCredential(call);
  const session = await connectTo(call, credential.origin, credential);
  const { api, origin } = session;
  const [{ id: projectId, name }, { organization }] = await Promise.all([
    findProject(session, named),
    api.account.whoAmI({}),
  ]);
  const path = [organization, name];
  if (!path.every((part) => NAME_PART.test(part)))
    throw new CliError(`${origin} does not say what the project is called`);
  return {
    session,
    credential,
    projectId,
    host: new URL(origin).host,
    path: path.join("/"),
  };
}

/** @param path of another project on the same server, or of this one */
export function optionsOf(
  call: Invocation,
  { session, credential }: ProjectRepository,
  path: string,
  more: Pick<RepositoryOptions, "actions" | "mountFrom">,
): RepositoryOptions {
  return { origin: session.origin, path, login: undefined, token: credential.token, env: call.env, ...more };
}
