import { useCallback, useEffect, useMemo, useState } from "react";
import { useAddress } from "../data/address.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Person } from "../ui/avatar.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Status } from "../ui/status.tsx";
import { DataTable } from "../ui/table/data-table.tsx";
import type { TableColumn, TableFilter, TableSegment, TableSource } from "../ui/table/table-types.ts";
import { type Build, makeBuild, makeBuilds, PEOPLE } from "./builds.ts";

const SETS = ["ordinary", "hostile", "many", "pages", "empty", "loading", "failed", "stale"] as const;
type SetName = (typeof SETS)[number];

const COLUMNS: readonly TableColumn<Build>[] = [
  {
    key: "commit",
    label: "Commit",
    value: ({ title }) => title,
    render: ({ id, title }) => (
      <span className="row">
        <a className="clip" href={`#${id}`} title={title}>
          <bdi>{title || "(no title)"}</bdi>
        </a>
        <span className="mono secondary narrow-hidden">{id}</span>
      </span>
    ),
  },
  {
    key: "result",
    label: "Result",
    isResult: true,
    value: ({ state }) => state,
    render: ({ state }) => <Status state={state} />,
  },
  { key: "project", label: "Project", value: ({ project }) => project, render: ({ project }) => project },
  { key: "by", label: "By", value: ({ by }) => by, render: ({ by }) => <Person name={by} /> },
  {
    key: "seconds",
    label: "Time",
    isNumber: true,
    value: ({ seconds }) => seconds,
    render: ({ seconds }) => (seconds === null ? "" : `${seconds.toFixed(1)}s`),
  },
  {
    key: "started",
    label: "Started",
    isNumber: true,
    isMinor: true,
    value: ({ startedAt }) => startedAt,
    render: ({ startedAt }) => startedAt.slice(0, 16).replace("T", " "),
  },
];

const SEGMENTS: readonly TableSegment<Build>[] = [
  { key: "all", label: "All", has: () => true },
  { key: "running", label: "Running", has: ({ state }) => state === "running" },
  { key: "failed", label: "Failed", has: ({ state }) => state === "failed" },
];

const FILTERS: readonly TableFilter<Build>[] = [
  {
    key: "by",
    label: "By",
    options: PEOPLE.map((value) => ({ value, label: value })),
    has: ({ by }, value) => by === value,
  },
  {
    key: "project",
    label: "Project",
    options: ["web", "api", "worker"].map((value) => ({ value, label: value })),
    has: ({ project }, value) => project === value,
  },
];

const keyOf = ({ id }: Build) => id;
const textOf = ({ id, title, project, by }: Build) => `${title} ${id} ${project} ${by}`;
const ORDER = { key: "started", isDescending: true };

/** `?set=` chooses the table's rows. */
export function TablePage() {
  const { params, change } = useAddress();
  const set = SETS.find((each) => each === params.get("set")) ?? "ordinary";
  return (
    <>
      <div className="head">
        <h1>Table</h1>
        <div className="actions">
          <Segmented
            label="Contents"
            options={SETS.map((value) => ({ value, label: value }))}
            value={set}
            onChange={(next) => change({ set: next })}
          />
        </div>
      </div>
      <Example key={set} set={set} />
    </>
  );
}

function Example({ set }: { set: SetName }) {
  const { params } = useAddress();
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const [arrived, setArrived] = useState<readonly Build[]>([]);
  const { source, pages } = useExample(set);
  const data = useMemo(
    () => source.data && [...arrived, ...source.data].filter(({ id }) => !gone.has(id)),
    [source.data, gone, arrived],
  );
  const arrive = () => setArrived((now) => [makeBuild(20_000 + now.length), ...now]);
  useArrivals(arrive);
  const actions = useCallback(
    ({ id }: Build) => (
      <button className="btn danger" type="button" onClick={() => setGone((now) => new Set([...now, id]))}>
        Cancel
      </button>
    ),
    [],
  );
  return (
    <DataTable
      name="Builds"
      unit="build"
      source={{ ...source, data }}
      {...(pages && { pages })}
      columns={COLUMNS}
      keyOf={keyOf}
      textOf={textOf}
      searchLabel="Commit, id or person"
      segments={SEGMENTS}
      segmentLabel="Result"
      segmentKey="result"
      filters={FILTERS}
      order={ORDER}
      currentKey={params.get("row") ?? undefined}
      actions={actions}
      empty={
        <EmptyState title="No builds of worker yet">
          <p>The first one fills the layer cache. It appears here by itself.</p>
        </EmptyState>
      }
      note="Builds of this page are made up."
    />
  );
}

/** Tests add a row with `dispatchEvent(new Event("arrive"))`, as the event stream would. */
function useArrivals(arrive: () => void) {
  useEffect(() => {
    addEventListener("arrive", arrive);
    return () => removeEventListener("arrive", arrive);
  });
}

const LENGTHS: ReadonlyMap<SetName, number> = new Map([
  ["many", 10_000],
  ["pages", 1000],
  ["empty", 0],
]);
const LATE_MS = 1000;
const PAGE = 100;

function useExample(set: SetName): {
  source: TableSource<Build>;
  pages?: Parameters<typeof DataTable<Build>>[0]["pages"];
} {
  const [isLate, setIsLate] = useState(set !== "loading");
  const [isFailed, setIsFailed] = useState(set === "failed" || set === "stale");
  const [read, setRead] = useState(PAGE);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  const all = useMemo(() => makeBuilds(LENGTHS.get(set) ?? 12, set === "hostile"), [set]);
  const isMissing = !isLate || (set === "failed" && isFailed);
  const source = {
    data: useMemo(
      () => (isMissing ? undefined : set === "pages" ? all.slice(0, read) : all),
      [isMissing, set, all, read],
    ),
    error: isFailed ? new Error("The server answered 503, “database is locked”.") : null,
    dataUpdatedAt: Date.parse("2026-11-20T14:31:56Z"),
    refetch: () => setIsFailed(false),
  };
  if (set !== "pages") return { source };
  const pages = {
    hasMore: read < all.length,
    isLoading: false,
    loadMore: () => setRead((now) => now + PAGE),
    readAll: async function* () {
      for (let at = 0; at < all.length; at += PAGE) yield all.slice(at, at + PAGE);
    },
  };
  return { source, pages };
}
