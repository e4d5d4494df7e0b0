/** `orgs list`, `orgs switch`, `orgs show`. */
import { MemberSchema, type Organization, OrganizationSchema } from "../client.ts";
import { changeCredentials, findCredentialsFile, readCredentials } from "../credentials.ts";
import { CliError, EXIT_NOT_AUTHENTICATED } from "../errors.ts";
import { messageRecord, printList } from "../output.ts";
import { readAllPages } from "../pages.ts";
import { findOrigin, type Invocation, openSession, type Session } from "../session.ts";
import { formatPairs } from "../table.ts";
import { cleanJson, cleanText } from "../text.ts";

export async function listOrganizations(call: Invocation): Promise<void> {
  const session = await openSession(call);
  const [organizations, { organizationId }] = await Promise.all([
    readAll(session),
    session.api.account.whoAmI({}),
  ]);
  printList(call.terminal, organizations, {
    format: call.flags.text("--output"),
    columns: [
      { heading: "", text: ({ id }) => (id === organizationId ? "*" : "") },
      { heading: "NAME", text: ({ name }) => name },
      { heading: "ID", text: ({ id }) => id },
      { heading: "ROLE", text: ({ role }) => role },
    ],
    record: (organization) => messageRecord(OrganizationSchema, organization),
  });
}

const readAll = ({ api }: Session): Promise<Organization[]> =>
  readAllPages(async (page) => {
    const { organizations: items, nextPageToken } = await api.organizations.list(page);
    return { items, nextPageToken };
  });

export async function switchOrganization(call: Invocation): Promise<void> {
  const file = findCredentialsFile(call.env);
  const origin = await findOrigin(call);
  if (!(await readCredentials(file))?.servers[origin])
    throw new CliError(
      `unauthenticated: ${file.shown} has no login for ${origin} that orgs switch could change: pass --org, or set MILLRACE_ORG`,
      EXIT_NOT_AUTHENTICATED,
    );
  const { api } = await openSession(call);
  const { organization } = await api.organizations.get({ organization: call.positionals[0]! });
  const name = cleanText(organization?.name ?? "");
  await changeCredentials(file, ({ servers }) => {
    const entry = servers[origin];
    if (entry) entry.organization = name;
  });
  call.terminal.out(`Commands now act in ${name}\n`);
  if (call.env["MILLRACE_ORG"]) call.terminal.err("millrace: MILLRACE_ORG is set and takes precedence\n");
}

export async function showOrganization(call: Invocation): Promise<void> {
  const { api } = await openSession(call);
  const named = call.positionals[0] ?? "";
  const { organization } = await api.organizations.get({ organization: named });
  if (!organization) throw new CliError("the server sent no organization");
  const members = await readAllPages(async (page) => {
    const answer = await api.organizations.listMembers({ ...page, organization: organization.id });
    return { items: answer.members, nextPageToken: answer.nextPageToken };
  });
  const { terminal, flags } = call;
  if (flags.text("--output") === "json") {
    const record = {
      ...messageRecord(OrganizationSchema, organization),
      members: members.map((member) => messageRecord(MemberSchema, member)),
    };
    return terminal.out(`${cleanJson(record)}\n`);
  }
  const list = members.map(({ name, role }) => cleanText(`${name} (${role})`)).join(", ");
  terminal.out(
    formatPairs(
      [
        ["ID", cleanText(organization.id)],
        ["Name", cleanText(organization.name)],
        ["Members", list],
      ],
      { width: terminal.width, heading: terminal.bold },
    ),
  );
}
