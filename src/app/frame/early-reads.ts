/**
 * A screen's first questions, asked as soon as the session is known: while the screen's code is still loading and the
 * frame is drawn for the first time. These are the screens' own queries, so that a screen finds the answer or waits for
 * the same request. Questions that are missing here are asked later, by the screen.
 */
import type { QueryClient } from "@tanstack/react-query";
import type { AuthState, Membership } from "../data/answers.ts";
import { chooseOrganization } from "../data/choose-organization.ts";
import {
  authStateQuery,
  invitationsQuery,
  membersQuery,
  passkeysQuery,
  projectsQuery,
  signInsQuery,
  twoStepQuery,
  tokensQuery,
} from "../data/queries.ts";
import {
  cacheMissesQuery,
  cacheSimulationQuery,
  cacheUsageQuery,
  cacheWritersQuery,
  largeEntriesQuery,
} from "../screens/cache/cache-queries.ts";
import {
  imageQuery,
  imagesQuery,
  readImageFilters,
  repositoriesQuery,
} from "../screens/images/image-queries.ts";
import {
  buildQuery,
  buildsQuery,
  latestBuildsQuery,
  readBuildFilters,
  recentBuildsQuery,
  runningBuildsQuery,
} from "../screens/builds/build-queries.ts";
import { capabilitiesQuery, layerCachesQuery } from "../screens/builders/builders-queries.ts";
import { isChecklistHidden } from "../screens/overview/checklist-hidden.ts";
import { firstRunQuery } from "../screens/overview/first-run.ts";
import { latestChangesQuery } from "../screens/overview/latest-changes-query.ts";
import { readRange } from "../screens/overview/range.ts";
import { todaySpans } from "../screens/overview/today-spans.ts";
import { exchangesQuery } from "../screens/projects/exchanges-query.ts";
import { layerCacheQuery } from "../screens/projects/layer-cache-query.ts";
import { projectQuery } from "../screens/projects/project-query.ts";
import { auditLogQuery } from "../screens/settings/audit/audit-log-query.ts";
import { addMonths, monthOf, spanOfDays, spanOfMonth } from "../screens/usage/months.ts";
import { usageQuery } from "../screens/usage/usage-query.ts";

/** Part of `location`. */
interface Address {
  pathname: string;
  search: string;
}

interface Reader {
  client: QueryClient;
  organization: Membership;
  params: URLSearchParams;
  now: number;
}

interface Started {
  /** Resolves when the follow-up questions are also asked. */
  more: Promise<unknown> | null;
}

/** @returns when the first questions are asked, or it is known that there are none */
export async function startReads(client: QueryClient, address: Address, now = Date.now()): Promise<Started> {
  // The frame reports a server that does not answer.
  const state = await client.fetchQuery(authStateQuery).catch(() => null);
  // In an object: awaiting a promise of a promise awaits both.
  return { more: (state && startReadsOf(state, { client, now, ...address })) ?? null };
}

/** @returns resolves when the follow-up questions are asked */
function startReadsOf(
  state: AuthState,
  { client, now, pathname, search }: Address & Pick<Reader, "client" | "now">,
): Promise<unknown> | void {
  if (!state.user) return;
  const [, root, first, ...rest] = pathname.replace(/\/$/, "").split("/").map(decode);
  if (root !== "app") return;
  if (first === "me") return readProfile(client);
  const organization = organizationOf(state, first);
  if (!organization) return;
  const more = readScreen({ client, organization, params: new URLSearchParams(search), now }, rest);
  // The rail's count, on every screen: after the screen's own questions.
  void client.prefetchQuery(runningBuildsQuery(organization.name));
  return more;
}

/** @param path the address's parts after the organization */
function readScreen(reader: Reader, path: readonly string[]): Promise<unknown> | void {
  const { client, organization } = reader;
  const [place, inner, ...more] = path;
  if (place === "cache" && inner !== undefined && more.length === 0) return readCacheTool(reader, inner);
  if (place === "builds" && inner !== undefined && more.length === 0)
    return void client.prefetchQuery(buildQuery(organization.name, inner));
  if (place === "images" && inner !== undefined && more.length === 0) return readImages(reader, inner);
  if (place === "projects" && inner !== undefined && more.length === 0) return readProject(reader, inner);
  return READS.get(path.join("/"))?.(reader);
}

function organizationOf({ user }: AuthState, name: string | undefined): Membership | null {
  return user && chooseOrganization(user.organizations, name);
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** By the address's part after the organization. */
const READS = new Map<string, (reader: Reader) => void>(
  Object.entries({
    "": readOverview,
    projects: ({ client, organization: { name } }: Reader) => void client.prefetchQuery(projectsQuery(name)),
    builds: readBuilds,
    images: ({ client, organization: { name } }: Reader) => {
      void client.prefetchQuery(projectsQuery(name));
      void client.prefetchQuery(repositoriesQuery(name));
    },
    cache: readCache,
    "runners/builders": ({ client, organization: { name } }: Reader) => {
      void client.prefetchQuery(capabilitiesQuery(name));
      void client.prefetchQuery(layerCachesQuery(name));
      void client.prefetchQuery(projectsQuery(name));
    },
    settings: readMembers,
    "settings/members": readMembers,
    "settings/tokens": ({ client, organization: { name } }: Reader) => {
      void client.prefetchQuery(tokensQuery(name));
      void client.prefetchQuery(projectsQuery(name));
    },
    "settings/trust": ({ client, organization: { name } }: Reader) => {
      void client.prefetchQuery(projectsQuery(name));
      void client.prefetchQuery(exchangesQuery(name));
    },
    "settings/audit": readAudit,
    usage: readUsage,
  }),
);

function readProfile(client: QueryClient): void {
  void client.prefetchQuery(signInsQuery);
  void client.prefetchQuery(passkeysQuery);
  void client.prefetchQuery(twoStepQuery);
}

/** The first-run checklist, and what the screen shows in case the checklist turns out to be done. */
function readOverview({ client, organization: { id, name, role }, params, now }: Reader): void {
  if (!isChecklistHidden(id) || params.get("checklist") === "1")
    void client.prefetchQuery(firstRunQuery(name));
  if (params.get("checklist") === "1") return;
  const { shown, both } = todaySpans(readRange(params.get("range")), now);
  void client.prefetchQuery(usageQuery(name, shown));
  void client.prefetchQuery(usageQuery(name, both));
  void client.prefetchQuery(projectsQuery(name));
  void client.prefetchQuery(membersQuery(name));
  void client.prefetchQuery(tokensQuery(name));
  void client.prefetchQuery(exchangesQuery(name));
  void client.prefetchQuery(recentBuildsQuery(name));
  if (role === "owner") void client.prefetchQuery(latestChangesQuery(name));
}

/** With a project in the address the list waits for the project's id. */
function readBuilds({ client, organization: { name }, params }: Reader): void {
  void client.prefetchQuery(projectsQuery(name));
  void client.prefetchQuery(membersQuery(name));
  if (!params.has("project"))
    void client.prefetchInfiniteQuery(buildsQuery(name, readBuildFilters(params, undefined)));
}

/** By its name, and then by its id for its own data. */
async function readProject({ client, organization: { name }, now }: Reader, reference: string) {
  const finding = client.fetchQuery(projectQuery(client, { organization: name, reference }));
  void client.prefetchQuery(tokensQuery(name));
  const project = await finding.catch(() => null);
  if (!project) return;
  void client.prefetchQuery(usageQuery(name, spanOfDays(14, now), project.id));
  void client.prefetchQuery(exchangesQuery(name, project.id));
  void client.prefetchQuery(latestBuildsQuery(name, project.id));
  void client.prefetchQuery(layerCacheQuery(name, project.id));
}

/** By the project's name, and then by its id. */
async function readImages({ client, organization: { name }, params }: Reader, reference: string) {
  const finding = client.fetchQuery(projectQuery(client, { organization: name, reference }));
  void client.prefetchQuery(repositoriesQuery(name));
  const project = await finding.catch(() => null);
  if (!project) return;
  void client.prefetchInfiniteQuery(imagesQuery(name, project.id, readImageFilters(params)));
  const tag = params.get("tag");
  if (tag) void client.prefetchQuery(imageQuery(name, project.id, tag));
}

function readCache({ client, organization: { name } }: Reader): void {
  void client.prefetchQuery(cacheUsageQuery(name));
  void client.prefetchQuery(largeEntriesQuery(name));
  void client.prefetchQuery(firstRunQuery(name));
}

function readCacheTool({ client, organization: { name } }: Reader, tool: string): void {
  void client.prefetchQuery(cacheUsageQuery(name));
  void client.prefetchQuery(cacheWritersQuery(name, tool));
  void client.prefetchQuery(cacheMissesQuery(name, tool));
  void client.prefetchQuery(cacheSimulationQuery(name, tool));
  void client.prefetchQuery(tokensQuery(name));
  void client.prefetchQuery(firstRunQuery(name));
}

function readMembers({ client, organization: { name, role } }: Reader): void {
  void client.prefetchQuery(membersQuery(name));
  if (role === "owner") void client.prefetchQuery(invitationsQuery(name));
}

/** With filters the screen asks itself. */
function readAudit({ client, organization: { name, role }, params }: Reader): void {
  if (role !== "owner") return;
  void client.prefetchQuery(membersQuery(name));
  if (params.size === 0) void client.prefetchInfiniteQuery(auditLogQuery(name, {}));
}

/** This month and the one before; the screen asks for other ranges. */
function readUsage({ client, organization: { name }, params, now }: Reader): void {
  void client.prefetchQuery(projectsQuery(name));
  if (params.size > 0) return;
  void client.prefetchQuery(usageQuery(name, spanOfMonth(monthOf(now), now)));
  void client.prefetchQuery(usageQuery(name, spanOfMonth(addMonths(monthOf(now), -1), now)));
}
