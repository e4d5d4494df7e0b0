/**
 * 1. Each address requests its screen's first data early, and nothing twice (tests/e2e/app-weight.spec.ts proves that
 *    the screen does not ask again).
 * 2. Owners' questions are asked for owners only.
 * 3. Without a session, in another's organization and at addresses without reads, only the session and running builds are read.
 * 4. A server that does not answer throws nothing.
 */
import { afterEach, expect, test, vi } from "vitest";
import { createQueryClient } from "../data/query-client.ts";
import { startReads } from "./early-reads.ts";

const NOW = Date.parse("2026-11-20T12:00:00Z");
const WEB = { id: "prj_7q4hx2n9ds", name: "web" };

const stateOf = (role: string) => ({
  user: { id: "usr_ada", name: "ada", organizations: [{ id: "org_1", name: "acme", role }] },
});

/** @returns the requests, in order */
async function askedAt(address: string, state: object | null = stateOf("owner")): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal("window", {});
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const body = typeof init.body === "string" ? init.body : "";
    asked.push(`${path.replace("/api/millrace.v1.", "")} ${body}`.trim());
    if (!state) return Promise.reject(new TypeError("Failed to fetch"));
    return Response.json(
      path === "/auth/state"
        ? state
        : {
            projects: [WEB],
            sign_ins: [],
            passkeys: [],
            members: [],
            tokens: [],
            invitations: [],
            images: [],
            repositories: [],
            events: [],
            exchanges: [],
            builds: [],
            caches: [],
            next_page_token: "",
          },
    );
  });
  const client = createQueryClient();
  client.setDefaultOptions({ queries: { ...client.getDefaultOptions().queries, retry: false } });
  const { pathname, search } = new URL(address, "http://localhost");
  await startReads(client, { pathname, search }, NOW);
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  client.clear();
  return asked;
}

afterEach(() => vi.unstubAllGlobals());

/** The rail's count, on every page of an organization. */
const RUNNING = 'BuildService/ListBuilds {"states":["queued","running"],"page_size":20}';

const methodsOf = (asked: readonly string[]) => asked.map((each) => each.split(" ")[0]).toSorted();

test.each([
  [
    "/app/acme",
    [
      "/app/acme/first-run",
      "/auth/state",
      "BuildService/ListBuilds",
      "OrganizationService/ListAuditEvents",
      "OrganizationService/ListMembers",
      "ProjectService/List",
      "TokenService/List",
      "TokenService/ListExchanges",
      "UsageService/GetUsage",
      "UsageService/GetUsage",
    ],
  ],
  ["/app/acme?checklist=1", ["/app/acme/first-run", "/auth/state"]],
  ["/app/acme/projects/", ["/auth/state", "ProjectService/List"]],
  [
    "/app/acme/projects/web",
    [
      "/auth/state",
      "BuildService/ListBuilds",
      "ProjectService/GetCacheUsage",
      "ProjectService/List",
      "TokenService/List",
      "TokenService/ListExchanges",
      "UsageService/GetUsage",
    ],
  ],
  [
    "/app/acme/builds?result=failed",
    ["/auth/state", "BuildService/ListBuilds", "OrganizationService/ListMembers", "ProjectService/List"],
  ],
  ["/app/acme/builds?project=web", ["/auth/state", "OrganizationService/ListMembers", "ProjectService/List"]],
  ["/app/acme/builds/bld_v6n2hk8s4d?step=3", ["/auth/state", "BuildService/GetBuild"]],
  ["/app/acme/images", ["/auth/state", "ImageService/ListRepositories", "ProjectService/List"]],
  [
    "/app/acme/images/web?tag=main",
    [
      "/auth/state",
      "ImageService/Get",
      "ImageService/List",
      "ImageService/ListRepositories",
      "ProjectService/List",
    ],
  ],
  [
    "/app/acme/settings/members",
    ["/auth/state", "OrganizationService/ListInvitations", "OrganizationService/ListMembers"],
  ],
  [
    "/app/acme/settings/audit",
    ["/auth/state", "OrganizationService/ListAuditEvents", "OrganizationService/ListMembers"],
  ],
  ["/app/acme/settings/audit?q=web", ["/auth/state", "OrganizationService/ListMembers"]],
  [
    "/app/acme/usage",
    ["/auth/state", "ProjectService/List", "UsageService/GetUsage", "UsageService/GetUsage"],
  ],
  ["/app/me", ["/auth/state", "/auth/two-step", "AccountService/ListPasskeys", "AccountService/ListSignIns"]],
])("1. %s", async (address, methods) => {
  const asked = await askedAt(address);
  expect(asked.includes(RUNNING)).toBe(address !== "/app/me");
  expect(methodsOf(asked.filter((each) => each !== RUNNING))).toEqual(methods.toSorted());
  expect(new Set(asked).size).toBe(asked.length);
});

test("1. the spans of the overview and of a project", async () => {
  const usages = (asked: readonly string[]) => asked.filter((each) => each.startsWith("UsageService"));
  expect(
    usages(await askedAt("/app/acme?range=30d")).map((each) => /"from":"([^T]+)/.exec(each)?.[1]),
  ).toEqual(["2026-10-22", "2026-09-22"]);
  expect(usages(await askedAt("/app/acme/projects/web"))[0]).toContain(`"project_id":"${WEB.id}"`);
});

test("2. members", async () => {
  const member = stateOf("member");
  expect(await askedAt("/app/acme/settings/audit", member)).toEqual(["/auth/state", RUNNING]);
  expect(methodsOf(await askedAt("/app/acme/settings/members", member))).not.toContain(
    "OrganizationService/ListInvitations",
  );
  expect(methodsOf(await askedAt("/app/acme", member))).not.toContain("OrganizationService/ListAuditEvents");
});

test.each([
  ["/app/acme", { user: null }, []],
  ["/app/other/projects", stateOf("owner"), []],
  ["/app/acme/nothing", stateOf("owner"), [RUNNING]],
  ["/app/acme/__proto__", stateOf("owner"), [RUNNING]],
  ["/app/%ff/projects", stateOf("owner"), []],
  ["/console/pages", stateOf("owner"), []],
])("3. %s", async (address, state, more) => {
  expect(await askedAt(address, state)).toEqual(["/auth/state", ...more]);
});

test("4. no answer", async () => {
  expect(await askedAt("/app/acme", null)).toEqual(["/auth/state"]);
});
