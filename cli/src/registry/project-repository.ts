/** The project's repository on this server. */
import { CliError } from "../errors.ts";
import { findProject, isProjectId } from "../find-project.ts";
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
  const { named, ...found } = await connect(call);
  const { session } = found;
  const [{ id: projectId, name }, { organization }] = await Promise.all([
    findProject(session, named),
    session.api.account.whoAmI({}),
  ]);
  return { ...found, projectId, path: checkPath(session, `${organization}/${name}`) };
}

/** Finds it by one of its images, without reading the project: a read-only token may not. */
export async function findImageRepository(call: Invocation, reference: string): Promise<ProjectRepository> {
  const { named, ...found } = await connect(call);
  const { session } = found;
  const projectId = isProjectId(named) ? named : (await findProject(session, named)).id;
  const { repository } = await session.api.images.get({ projectId, reference });
  // A server of the previous release does not send it.
  if (repository === "") return findProjectRepository(call);
  return { ...found, projectId, path: checkPath(session, repository) };
}

async function connect(call: Invocation) {
  const named = await requireProject(call);
  const credential = await findCredential(call);
  const session = await connectTo(call, credential.origin, credential);
  return { named, session, credential, host: new URL(session.origin).host };
}

function checkPath({ origin }: Session, path: string): string {
  const parts = path.split("/");
  if (parts.length === 2 && parts.every((part) => NAME_PART.test(part))) return path;
  throw new CliError(`${origin} did not send the project's name`);
}

/** @param path of this project or of another one on the same server */
export function optionsOf(
  call: Invocation,
  { session, credential }: ProjectRepository,
  path: string,
  more: Pick<RepositoryOptions, "actions" | "mountFrom">,
): RepositoryOptions {
  return { origin: session.origin, path, login: undefined, token: credential.token, env: call.env, ...more };
}
