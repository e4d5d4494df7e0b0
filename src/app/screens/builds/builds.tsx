import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { useAddress } from "../../data/address.ts";
import type { Build } from "#api/gen/json-types.ts";
import { isSettled } from "../../data/is-settled.ts";
import { useOrganization } from "../../data/organization.ts";
import { membersQuery, projectsQuery } from "../../data/queries.ts";
import { useOpened } from "../../data/use-opened.ts";
import { cutText } from "../../format.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Loading } from "../../ui/loading.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { TableFilter, TableSegment } from "../../ui/table/table-types.ts";
import { COLUMNS } from "./build-columns.tsx";
import { BuildLanes } from "./build-lanes.tsx";
import { runningBuildsQuery } from "./build-queries.ts";
import { titleOf } from "./build-words.ts";
import { NoBuilds } from "./no-builds.tsx";
import { type Builds, useBuilds } from "./use-builds.ts";
import "../../styles/builds.css";

const BuildDialog = lazy(async () => ({ default: (await import("./build-dialog.tsx")).BuildDialog }));

/** `/builds`: running and past builds. */
export function BuildsScreen() {
  const asked = useOpened("do");
  const { open } = asked;
  const actions = useMemo<PageAction[]>(
    () => [{ label: "Build from the CLI", icon: "squareTerminal", shortcut: "N", run: () => open("build") }],
    [open],
  );
  return (
    <Page title="Builds" actions={actions}>
      <Head
        title="Builds"
        actions={
          <>
            <Legend />
            <button className="btn" type="button" aria-keyshortcuts="N" onClick={() => open("build")}>
              <Icon name="squareTerminal" />
              Build from the CLI
            </button>
          </>
        }
      />
      <BuildParts />
      <Suspense fallback={null}>{asked.value === "build" && <BuildDialog onClose={asked.close} />}</Suspense>
    </Page>
  );
}

function Legend() {
  return (
    <span className="legend narrow-hidden build-keys">
      <span>
        <i className="key" />
        Cached step
      </span>
      <span>
        <i className="key worked" />
        Worked
      </span>
      <span>
        <i className="key failed" />
        Failed
      </span>
      <span>
        <i className="key queued" />
        Not run
      </span>
    </span>
  );
}

/** Lanes and list appear together, so that neither moves the other. */
function BuildParts() {
  const { name } = useOrganization();
  const running = useQuery(runningBuildsQuery(name));
  const builds = useBuilds();
  const [isWhole, setWhole] = useState(false);
  if (!isWhole && isSettled(running) && (builds.source.data || builds.source.error)) setWhole(true);
  if (!isWhole) return <Loading what="builds" />;
  return (
    <>
      {builds.source.data && builds.all.length + (running.data?.length ?? 0) > 0 && <BuildLanes />}
      <BuildTable builds={builds} />
    </>
  );
}

const ORDER = { key: "created", isDescending: true };
const textOf = (build: Build) => [titleOf(build), build.id, build.branch, build.commit_sha].join(" ");

function BuildTable({ builds }: { builds: Builds }) {
  const filters = useFilters(builds.all);
  const segments = useSegments();
  return (
    <DataTable
      name="Builds"
      unit="build"
      source={builds.source}
      pages={builds.pages}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      textOf={textOf}
      searchLabel="Commit, branch, id, person"
      segments={segments}
      segmentKey="result"
      segmentLabel="Result"
      segmentCounts={countsOf(builds.counts)}
      filters={filters}
      order={ORDER}
      empty={<NoBuilds />}
    />
  );
}

const isIn = (...states: string[]) => {
  const known = new Set(states);
  return ({ state }: Build) => known.has(state);
};

const SEGMENTS: readonly TableSegment<Build>[] = [
  { key: "all", label: "All", has: () => true },
  { key: "running", label: "Running", has: isIn("queued", "running") },
  { key: "failed", label: "Failed", has: isIn("failed") },
];
const MORE_SEGMENTS: readonly TableSegment<Build>[] = [
  ...SEGMENTS,
  { key: "succeeded", label: "Succeeded", has: isIn("succeeded") },
  { key: "canceled", label: "Canceled", has: isIn("canceled") },
];

/** Two more segments, once a link has named one of them. */
function useSegments() {
  const { params } = useAddress();
  const result = params.get("result");
  return result === "succeeded" || result === "canceled" ? MORE_SEGMENTS : SEGMENTS;
}

/** The server's counts, by segment. */
function countsOf(counts: Record<string, number> | undefined): { [key: string]: number } {
  if (!counts) return {};
  const { queued = 0, running = 0, succeeded = 0, failed = 0, canceled = 0 } = counts;
  const all = queued + running + succeeded + failed + canceled;
  return { all, running: queued + running, succeeded, failed, canceled };
}

/** Branches, people and platforms of the builds read so far; all projects and members. */
function useFilters(builds: readonly Build[]): readonly TableFilter<Build>[] {
  const { name } = useOrganization();
  const { params } = useAddress();
  const { data: projects } = useQuery(projectsQuery(name));
  const { data: members } = useQuery(membersQuery(name));
  const values = [
    (projects ?? []).map((project) => project.name),
    builds.map(({ branch }) => branch),
    [...builds.map(({ created_by }) => created_by), ...(members ?? []).map((member) => member.name)],
    builds.flatMap(({ platforms }) => platforms),
  ].map((found, index) => {
    const chosen = params.get(FILTERS[index]?.key ?? "");
    return [...new Set(chosen ? [...found, chosen] : found)]
      .filter(Boolean)
      .toSorted()
      .slice(0, MOST_OPTIONS);
  });
  const text = JSON.stringify(values);
  return useMemo(() => {
    const known = JSON.parse(text) as string[][];
    return FILTERS.map((filter, index) => ({
      ...filter,
      options: (known[index] ?? []).map((value) => ({ value, label: cutText(value, 40) })),
    })).filter(({ options }) => options.length > 0);
  }, [text]);
}

const MOST_OPTIONS = 200;

const FILTERS: readonly Omit<TableFilter<Build>, "options">[] = [
  { key: "project", label: "Project", has: ({ project }, value) => project === value },
  { key: "branch", label: "Branch", has: ({ branch }, value) => branch === value },
  { key: "by", label: "By", has: ({ created_by }, value) => created_by === value },
  { key: "platform", label: "Platform", has: ({ platforms }, value) => platforms.includes(value) },
];
