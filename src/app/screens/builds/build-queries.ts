/** Queries of the build pages. The server reports when builds begin and end; a running build is watched by its own page. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { Build } from "#api/gen/json-types.ts";
import { call, CallError, type RequestOf } from "../../data/call.ts";

const BUILDS_PER_PAGE = 100;
const MAX_QUERY_LENGTH = 200;
/** Few servers run more at the same time; the list has all of them. */
export const MOST_RUNNING = 20;
/** No event reports the end of a step. */
const RUNNING_AGAIN_MS = 3_000;
const NEIGHBOURS = 50;

type ListRequest = RequestOf<"BuildService/ListBuilds">;

/** By segments of the list. */
const STATES: { [result: string]: string[] | undefined } = {
  running: ["queued", "running"],
  succeeded: ["succeeded"],
  failed: ["failed"],
  canceled: ["canceled"],
};

/** The address's parameters as the server's filters; `project` is a name there, and an id here. */
export function readBuildFilters(params: URLSearchParams, projectId: string | undefined): ListRequest {
  const states = STATES[params.get("result") ?? ""];
  const text = (name: string) => (params.get(name) ?? "").trim().slice(0, MAX_QUERY_LENGTH);
  const set = {
    query: text("q"),
    branch: text("branch"),
    created_by: text("by"),
    platform: text("platform"),
  };
  return {
    ...(projectId && { project_id: projectId }),
    ...(states && { states }),
    ...Object.fromEntries(Object.entries(set).filter(([, value]) => value !== "")),
  };
}

/** The newest first, page by page. */
export const buildsQuery = (organization: string, filters: ListRequest) =>
  infiniteQueryOptions({
    queryKey: ["builds", organization, "list", filters],
    queryFn: ({ pageParam, signal }) =>
      call(
        "BuildService/ListBuilds",
        { ...filters, page_size: BUILDS_PER_PAGE, page_token: pageParam },
        { organization, signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ next_page_token: next }) => next || undefined,
  });

/** Running or waiting builds, of the organization or of one project. */
export const runningBuildsQuery = (organization: string, projectId?: string) =>
  queryOptions({
    queryKey: ["builds", organization, "running", projectId ?? ""],
    queryFn: async ({ signal }): Promise<Build[]> => {
      const { builds } = await call(
        "BuildService/ListBuilds",
        {
          states: ["queued", "running"],
          page_size: MOST_RUNNING,
          ...(projectId && { project_id: projectId }),
        },
        { organization, signal },
      );
      return builds;
    },
    refetchInterval: ({ state }) => (state.data && state.data.length > 0 ? RUNNING_AGAIN_MS : false),
  });

/** For the overview and the command menu. */
export const RECENT = 100;

export const recentBuildsQuery = (organization: string) =>
  queryOptions({
    queryKey: ["builds", organization, "recent"],
    queryFn: async ({ signal }): Promise<Build[]> =>
      (await call("BuildService/ListBuilds", { page_size: RECENT }, { organization, signal })).builds,
  });

const LATEST = 15;

/** A project's last builds. */
export const latestBuildsQuery = (organization: string, projectId: string) =>
  queryOptions({
    queryKey: ["builds", organization, "latest", projectId],
    queryFn: ({ signal }) =>
      call("BuildService/ListBuilds", { project_id: projectId, page_size: LATEST }, { organization, signal }),
  });

/** One build with its steps; null when there is no such build here. */
export const buildQuery = (organization: string, id: string) =>
  queryOptions({
    queryKey: ["builds", organization, "one", id],
    queryFn: async ({ signal }): Promise<Build | null> => {
      try {
        return (
          (await call("BuildService/GetBuild", { build_id: id }, { organization, signal })).build ?? null
        );
      } catch (error) {
        if (error instanceof CallError && isMissing(error)) return null;
        throw error;
      }
    },
  });

/** The server refuses a malformed id. */
const isMissing = ({ code }: CallError) => code === "not_found" || code === "invalid_argument";

/** Builds of the same branch, the newest first: for comparisons, and for `[` and `]`. */
export const siblingsQuery = (organization: string, { project_id, branch }: Build) =>
  queryOptions({
    queryKey: ["builds", organization, "siblings", project_id, branch],
    queryFn: async ({ signal }): Promise<Build[]> => {
      const request = { project_id, page_size: NEIGHBOURS, ...(branch && { branch }) };
      return (await call("BuildService/ListBuilds", request, { organization, signal })).builds;
    },
  });

export const explainQuery = (organization: string, buildId: string, stepId: string) =>
  queryOptions({
    queryKey: ["builds", organization, "explain", buildId, stepId],
    queryFn: ({ signal }) =>
      call("BuildService/ExplainStep", { build_id: buildId, step_id: stepId }, { organization, signal }),
  });
