import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useMemo } from "react";
import { Link } from "react-router";
import type { LayerCache, Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { useOpened } from "../../data/use-opened.ts";
import { formatBytes, formatCount, plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { FillChannel } from "../../ui/channel/channel.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { TableColumn } from "../../ui/table/table-types.ts";
import { layerCachesQuery } from "./builders-queries.ts";

const ResetDialog = lazy(async () => ({
  default: (await import("../projects/reset-layers.tsx")).ResetLayersDialog,
}));

interface Row {
  project: Project;
  caches: readonly LayerCache[];
  bytes: number;
  quota: number;
  layers: number;
}

/** A row for each project. `?reset=` asks whether to reset one project's cache. */
export function LayerCaches() {
  const { name } = useOrganization();
  const source = useRows(name);
  const { value: asked, open, close } = useOpened("reset");
  const columns = useMemo(() => columnsOf(name), [name]);
  const actions = useCallback((each: Row) => <Reset row={each} onAsk={open} />, [open]);
  const row = source.data?.find(({ project, bytes }) => project.id === asked && bytes > 0);
  return (
    <section className="section" aria-labelledby="layer-caches">
      <div className="section-header">
        <h2 id="layer-caches">Layer caches</h2>
        <span className="text-xs subtle">
          By project. When a cache is full, the least used layers are removed first.
        </span>
      </div>
      <DataTable
        name="Layer caches by project"
        unit="project"
        countOf={countOf}
        source={source}
        columns={columns}
        keyOf={({ project }) => project.id}
        textOf={({ project }) => `${project.name} ${project.id}`}
        searchLabel="Project"
        segments={SEGMENTS}
        order={ORDER}
        actions={actions}
        empty={
          <EmptyState title="No layer caches yet">
            <p>Each project has one cache per architecture. The first build fills it.</p>
          </EmptyState>
        }
      />
      {row && (
        <Suspense fallback={null}>
          <ResetDialog project={row.project} caches={row.caches} onClose={close} />
        </Suspense>
      )}
    </section>
  );
}

function Reset({ row: { project, bytes }, onAsk }: { row: Row; onAsk: (id: string) => void }) {
  if (bytes === 0) return null;
  return (
    <button
      className="btn danger"
      type="button"
      aria-label={`Reset the layer cache of ${project.name}`}
      onClick={() => onAsk(project.id)}
    >
      Reset…
    </button>
  );
}

function useRows(organization: string) {
  const projects = useQuery(projectsQuery(organization));
  const caches = useQuery(layerCachesQuery(organization));
  const data = useMemo(() => {
    if (!projects.data || !caches.data) return undefined;
    const found = new Map(caches.data.map((each) => [each.project_id, each.caches]));
    return projects.data.map((project) => toRow(project, found.get(project.id) ?? []));
  }, [projects.data, caches.data]);
  return {
    data,
    error: caches.error ?? projects.error,
    dataUpdatedAt: caches.dataUpdatedAt,
    refetch: () => void Promise.all([projects.refetch(), caches.refetch()]),
  };
}

const sum = (caches: readonly LayerCache[], of: (cache: LayerCache) => string) =>
  caches.reduce((total, cache) => total + Number(of(cache)), 0);

const toRow = (project: Project, caches: readonly LayerCache[]): Row => ({
  project,
  caches,
  bytes: sum(caches, ({ size_bytes }) => size_bytes),
  quota: sum(caches, ({ quota_bytes }) => quota_bytes),
  layers: sum(caches, ({ layers }) => layers),
});

const ORDER = { key: "size", isDescending: true };
const SEGMENTS = [
  { key: "all", label: "All", has: () => true },
  { key: "filled", label: "Filled", has: ({ bytes }: Row) => bytes > 0 },
  { key: "empty", label: "Empty", has: ({ bytes }: Row) => bytes === 0 },
];

const countOf = (rows: readonly Row[]) =>
  `${plural(rows.length, "project")}, ${formatBytes(rows.reduce((total, { bytes }) => total + bytes, 0))}`;

const columnsOf = (organization: string): TableColumn<Row>[] => [
  {
    key: "project",
    label: "Project",
    isMain: true,
    value: ({ project }) => project.name,
    render: ({ project }) => (
      <Link className="clip" to={addressOf(organization, `projects/${encodeURIComponent(project.name)}`)}>
        {project.name}
      </Link>
    ),
  },
  {
    key: "kept",
    label: "Kept",
    isMinor: true,
    isSortable: false,
    value: ({ quota }) => quota,
    render: ({ bytes, quota }) =>
      bytes > 0 ? (
        <span className="cache-share">
          <FillChannel used={bytes} limit={quota} part="cached" isThin />
        </span>
      ) : (
        <span className="subtle">empty</span>
      ),
  },
  {
    key: "size",
    label: "Size",
    isNumber: true,
    value: ({ bytes }) => bytes,
    render: ({ bytes }) => formatBytes(bytes),
  },
  {
    key: "layers",
    label: "Layers",
    isNumber: true,
    isMinor: true,
    value: ({ layers }) => layers,
    render: ({ layers }) => formatCount(layers),
  },
  {
    key: "platforms",
    label: "Built for",
    isMinor: true,
    value: ({ caches }) => caches.map(({ platform }) => platform).join(", "),
    render: ({ caches }) => (
      <span className="muted mono clip">{caches.map(({ platform }) => platform).join(", ")}</span>
    ),
  },
];
