/** Finds a project by its id, or by its name, which has no `_`. */
import type { Project } from "./client.ts";
import { CliError, EXIT_NOT_FOUND } from "./errors.ts";
import { readAllPages } from "./pages.ts";
import { type Invocation, openSession, requireProject, type Session } from "./session.ts";
import { cleanText } from "./text.ts";

export const isProjectId = (named: string) => named.startsWith("prj_");

export const readAllProjects = ({ api }: Session): Promise<Project[]> =>
  readAllPages(async (page) => {
    const { projects: items, nextPageToken } = await api.projects.list(page);
    return { items, nextPageToken };
  });

/** @throws CliError with exit code 4 if there is no such project */
export async function findProject(session: Session, named: string): Promise<Project> {
  if (isProjectId(named)) {
    const { project } = await session.api.projects.get({ projectId: named });
    if (!project) throw new CliError("the server sent no project");
    return project;
  }
  const found = (await readAllProjects(session)).find(({ name }) => name === named);
  if (found) return found;
  throw new CliError(
    `not_found: the organization has no project ${cleanText(named)}: see millrace projects list`,
    EXIT_NOT_FOUND,
  );
}

/** The project of an argument, a flag, the environment or `millrace.json`. Only a name needs a request. */
export async function openProject(
  call: Invocation,
  given?: string,
): Promise<Session & { projectId: string }> {
  const named = await requireProject(call, given);
  const session = await openSession(call);
  return { ...session, projectId: isProjectId(named) ? named : (await findProject(session, named)).id };
}
