/** `projects create`, `projects list`, `projects get`, `projects update`, `projects delete`. */
import { randomUUID } from "node:crypto";
import { getOption } from "@bufbuild/protobuf";
import { max } from "../../../src/api/gen/millrace/options/v1/options_pb.ts";
import { type Project, ProjectSchema, ProjectServiceUpdateRequestSchema } from "../client.ts";
import { CliError, usageError } from "../errors.ts";
import { findProject, openProject, readAllProjects } from "../find-project.ts";
import { formatDay, messageRecord, printList } from "../output.ts";
import { type Invocation, openSession, requireProject, type Session } from "../session.ts";
import { formatPairs } from "../table.ts";
import { cleanJson, cleanText } from "../text.ts";
import { describeTrust, isSameTrust, parseTrust } from "../trust.ts";
import { formatSize, parseCount, parseSize } from "../units.ts";

const MOST_CPUS = 32;
const MOST_DAYS = getOption(ProjectServiceUpdateRequestSchema.field.retentionDays, max);

export async function createProject(call: Invocation): Promise<void> {
  const settings = readSettings(call);
  const { project, organization } = await addProject(await openSession(call), call.positionals[0]!, settings);
  if (call.flags.text("--output") === "json")
    call.terminal.out(`${cleanJson(messageRecord(ProjectSchema, project))}\n`);
  else call.terminal.out(created(project, organization));
}

export const created = ({ id }: Project, organization: string): string =>
  `Created ${cleanText(id)} in organization ${cleanText(organization)}\n`;

type Settings = { builderSize?: number; cacheSizeBytes?: bigint; retentionDays?: number };

/** The common flags of `create` and `update`. Absent flags stay absent. */
function readSettings({ flags }: Invocation): Settings {
  const cpus = flags.text("--builder-size");
  const size = flags.text("--cache-size");
  const days = flags.text("--retention");
  return {
    ...(cpus === undefined ? {} : { builderSize: parseCount(cpus, "--builder-size", MOST_CPUS) }),
    ...(size === undefined ? {} : { cacheSizeBytes: parseSize(size, "--cache-size") }),
    ...(days === undefined ? {} : { retentionDays: parseCount(days, "--retention", MOST_DAYS) }),
  };
}

export async function addProject(
  { api }: Session,
  name: string,
  settings: Settings = {},
): Promise<{ project: Project; organization: string }> {
  const { organization } = await api.account.whoAmI({});
  const headers = { "Idempotency-Key": randomUUID() };
  const { project } = await api.projects.create({ name, ...settings }, { headers });
  if (!project) throw new CliError("the server sent no project");
  return { project, organization };
}

export async function listProjects(call: Invocation): Promise<void> {
  printList(call.terminal, await readAllProjects(await openSession(call)), {
    format: call.flags.text("--output"),
    columns: [
      { heading: "ID", text: ({ id }) => id },
      { heading: "NAME", text: ({ name }) => name },
      { heading: "BUILDER", text: ({ builderSize }) => `${builderSize} CPUs` },
      { heading: "CACHE SIZE", text: ({ cacheSizeBytes }) => formatSize(cacheSizeBytes) },
      { heading: "RETENTION", text: ({ retentionDays }) => `${retentionDays} days` },
    ],
    record: (project) => messageRecord(ProjectSchema, project),
  });
}

export async function showProject(call: Invocation): Promise<void> {
  const { terminal, flags } = call;
  const named = await requireProject(call, call.positionals[0]);
  const project = await findProject(await openSession(call), named);
  if (flags.text("--output") === "json")
    return terminal.out(`${cleanJson(messageRecord(ProjectSchema, project))}\n`);
  const trust = project.trustRelationships.map(describeTrust);
  const pairs = [
    ["ID", cleanText(project.id)],
    ["Name", cleanText(project.name)],
    ["Builder", `${project.builderSize} CPUs`],
    ["Cache size", formatSize(project.cacheSizeBytes)],
    ["Retention", `${project.retentionDays} days`],
    ["Trust", trust.join("; ") || "-"],
    ["Immutable tags", cleanText(project.immutableTags.join(", ")) || "-"],
    ["Created", formatDay(project.createdAt)],
  ] as const;
  terminal.out(formatPairs(pairs, { width: terminal.width, heading: terminal.bold }));
}

export async function updateProject(call: Invocation): Promise<void> {
  const { flags, terminal } = call;
  const added = flags.texts("--trust").map((text) => {
    return { ...parseTrust(text, "--trust"), cache: flags.text("--trust-cache") ?? "" };
  });
  const removed = flags.texts("--untrust").map((text) => parseTrust(text, "--untrust"));
  const name = flags.text("--name");
  const settings = {
    ...readSettings(call),
    ...(name === undefined ? {} : { name }),
    ...readImmutableTags(flags.text("--immutable-tags")),
  };
  const changesTrust = added.length + removed.length > 0;
  if (flags.isSet("--trust-cache") && added.length === 0) throw usageError("--trust-cache needs --trust");
  if (!changesTrust && Object.keys(settings).length === 0)
    throw usageError("nothing to change: see millrace projects update --help");
  const { projectId, api } = await openProject(call, call.positionals[0]);
  let trust: Parameters<typeof api.projects.update>[0] = {};
  if (changesTrust) {
    const known = (await api.projects.get({ projectId })).project?.trustRelationships ?? [];
    const absent = removed.find((one) => !known.some((other) => isSameTrust(one, other)));
    if (absent)
      throw new CliError(`${projectId} has no trust relationship ${describeTrust({ ...absent, cache: "" })}`);
    const changed = [...removed, ...added];
    const kept = known.filter((one) => !changed.some((other) => isSameTrust(one, other)));
    trust = {
      trustRelationships: [...kept, ...added],
      clearTrustRelationships: kept.length + added.length === 0,
    };
  }
  const { project } = await api.projects.update({ projectId, ...settings, ...trust });
  for (const one of added)
    terminal.out(`Trust relationship of ${cleanText(projectId)}: ${describeTrust(one)}\n`);
  for (const one of removed)
    terminal.out(
      `Removed trust relationship of ${cleanText(projectId)}: ${describeTrust({ ...one, cache: "" })}\n`,
    );
  if (Object.keys(settings).length > 0)
    terminal.out(`Updated ${cleanText(projectId)} (${cleanText(project?.name ?? "")})\n`);
}

/** `v*,release-*`, or `none`. */
function readImmutableTags(text: string | undefined): {
  immutableTags?: string[];
  clearImmutableTags?: boolean;
} {
  if (text === undefined) return {};
  if (text === "none") return { clearImmutableTags: true };
  const immutableTags = text
    .split(",")
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== "");
  if (immutableTags.length === 0)
    throw usageError("--immutable-tags needs patterns separated by commas, or none");
  return { immutableTags };
}

export async function deleteProject(call: Invocation): Promise<void> {
  const { terminal, flags } = call;
  if (!flags.isSet("--yes") && !terminal.isInteractive)
    throw usageError("cannot ask for confirmation here: pass --yes");
  const { projectId, api } = await openProject(call, call.positionals[0]);
  if (!flags.isSet("--yes")) {
    const name = cleanText((await api.projects.get({ projectId })).project?.name ?? projectId);
    const answer = await terminal.ask(
      `Type ${name} to delete the project with its layer cache and images`,
      "--yes",
    );
    if (answer !== name) throw new CliError("nothing was deleted: the name does not match");
  }
  await api.projects.delete({ projectId });
  terminal.out(`Deleted ${cleanText(projectId)}\n`);
}
