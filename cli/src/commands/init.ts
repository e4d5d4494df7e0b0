/** `init`: connects a directory to a project. */
import { basename } from "node:path";
import type { Project } from "../client.ts";
import { CliError, usageError } from "../errors.ts";
import { readAllProjects } from "../find-project.ts";
import { readProjectFile, writeProjectFile } from "../project-file.ts";
import { type Invocation, openSession, type Session } from "../session.ts";
import { cleanText } from "../text.ts";
import { addProject, created } from "./projects.ts";

const ANSWERS = "--project <id> or --name <name>";

export async function init(call: Invocation): Promise<void> {
  const { flags, terminal, folder, env } = call;
  const name = flags.text("--name");
  if (name !== undefined && flags.isSet("--project"))
    throw usageError("--name creates a project, and --project uses an existing one: pass one of them");
  const named = name === undefined ? (flags.text("--project") ?? env["MILLRACE_PROJECT"]) : undefined;
  const isAnswered = name !== undefined || Boolean(named);
  if (!isAnswered && !terminal.isInteractive)
    throw usageError(`cannot ask for a project here: pass ${ANSWERS}`);
  const old = (await readProjectFile(folder))?.["project"];
  if (old !== undefined && old !== named && !flags.isSet("--force"))
    throw new CliError(`millrace.json already names ${cleanText(String(old))}: pass --force to replace it`);
  const session = await openSession(call);
  const project =
    name === undefined ? await chooseProject(call, session, named) : await create(call, session, name);
  await writeProjectFile(folder, project.id);
  terminal.out("Wrote millrace.json\n");
}

async function create(call: Invocation, session: Session, name: string): Promise<Project> {
  const { project, organization } = await addProject(session, name);
  call.terminal.out(created(project, organization));
  return project;
}

async function chooseProject(
  call: Invocation,
  session: Session,
  named: string | undefined,
): Promise<Project> {
  if (named) {
    const { project } = await session.api.projects.get({ projectId: named });
    if (!project) throw new CliError("the server sent no project");
    return project;
  }
  const { terminal } = call;
  const projects = await readAllProjects(session);
  if (projects.length > 0) {
    const rows = [
      "a new project",
      ...projects.map(({ id, name }) => `${cleanText(name)} (${cleanText(id)})`),
    ];
    terminal.err(rows.map((row, index) => `${String(index).padStart(3)}  ${row}\n`).join(""));
    const answer = await terminal.ask("Project, by number or name", ANSWERS);
    const chosen = projects.find(({ id, name }, index) => [id, name, String(index + 1)].includes(answer));
    if (chosen) return chosen;
    if (answer !== "0" && answer !== "") throw new CliError(`there is no project ${answer}`);
  }
  const suggestion = basename(call.folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const answer = await terminal.ask(suggestion === "" ? "Name" : `Name (${suggestion})`, ANSWERS);
  return create(call, session, answer || suggestion);
}
