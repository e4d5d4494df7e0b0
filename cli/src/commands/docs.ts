/** `docs`: opens a page of the server's documentation, with the organization and project that the CLI uses here. */
import { findCredentialsFile, readCredentials } from "../credentials.ts";
import { CliError, EXIT_NOT_FOUND } from "../errors.ts";
import { isProjectId } from "../find-project.ts";
import { hasScreen, openBrowser } from "../open-browser.ts";
import { findProject } from "../project-file.ts";
import { findOrigin, type Invocation } from "../session.ts";
import { cleanText } from "../text.ts";
import { findSections } from "./docs-search.ts";

/** `container-builds/quickstart`, `/docs/faq`: a single word is searched for. */
const PATH = /^(?:\/?docs(?=\/|$)\/?|(?=[a-z0-9-]+\/))(?<page>[a-z0-9-]+(?:\/[a-z0-9-]+)*)?\/?$/;

export async function openDocs(call: Invocation): Promise<void> {
  const origin = await findOrigin(call);
  const topic = call.positionals.join(" ").trim();
  const page = new URL(await findPage(call, topic), origin);
  page.hash = await readNames(call, origin);
  call.terminal.out(`${page.href}\n`);
  if (!call.flags.isSet("--print") && hasScreen(call.env)) openBrowser(page.href);
}

/** @returns its path: a given one is not checked, because the server leads from moved pages on. @throws CliError with exit code 4 */
async function findPage(call: Invocation, topic: string): Promise<string> {
  if (topic === "") return "/docs";
  const path = PATH.exec(topic);
  if (path) return ["/docs", path.groups?.["page"]].filter(Boolean).join("/");
  const [first] = await findSections(call, topic, 1);
  if (first) return new URL(first.url).pathname;
  throw new CliError(`not_found: no page about ${cleanText(topic)}`, EXIT_NOT_FOUND);
}

/**
 * `org=acme&project=prj_7q4hx2n9ds`, which the page reads (`adoptFragment` in `src/site/docs/late/own/`): browsers do not send
 * it to the server. Empty without an organization.
 */
async function readNames(call: Invocation, origin: string): Promise<string> {
  const { env, flags, folder } = call;
  const servers = (await readCredentials(findCredentialsFile(env)))?.servers;
  const organization = flags.text("--org") ?? (env["MILLRACE_ORG"] || servers?.[origin]?.organization);
  if (!organization) return "";
  const names = new URLSearchParams({ org: organization });
  // A directory without a project, or with a damaged file, does not keep the page from opening.
  const project = env["MILLRACE_PROJECT"] || (await findProject(folder).catch(() => undefined));
  if (project && isProjectId(project)) names.set("project", project);
  return names.toString();
}
