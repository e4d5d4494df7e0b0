import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useCallback } from "react";
import type { CacheWriter } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { useOpened } from "../../data/use-opened.ts";
import { cutText, formatCount } from "../../format.ts";
import { Ago } from "../../ui/ago.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ReaderText } from "../../ui/reader-text.tsx";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { TableColumn } from "../../ui/table/table-types.ts";
import { cacheWritersQuery } from "./cache-queries.ts";
import type { CacheTool } from "./tools.ts";

const PurgeDialog = lazy(async () => ({ default: (await import("./purge-writer.tsx")).PurgeDialog }));

/** The server stops counting here. */
const MAX_COUNTED = 1_000;

/** The writers of the current entries: a token, a person, or a commit's job. */
export function Writers({ tool }: { tool: CacheTool }) {
  const { name: organization, isOwner } = useOrganization();
  const source = useQuery(cacheWritersQuery(organization, tool.id));
  const { value: asked, open, close } = useOpened("purge");
  const purged = source.data?.find(({ id }) => id === asked);
  const actions = useCallback((writer: CacheWriter) => <Purge writer={writer} onOpen={open} />, [open]);
  return (
    <section className="section" aria-labelledby="cache-writers">
      <div className="section-header">
        <h2 id="cache-writers">Who wrote</h2>
        <span className="text-xs subtle">
          {isOwner ? "the last 100, of entries still in the cache" : "Owners can purge a writer's entries"}
        </span>
      </div>
      <DataTable
        name="Writers"
        unit="writer"
        source={source}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        textOf={textOf}
        searchLabel="Name, commit or branch"
        order={ORDER}
        {...(isOwner && { actions })}
        empty={<NoWriters tool={tool} />}
      />
      {isOwner && purged && (
        <Suspense fallback={null}>
          <PurgeDialog writer={purged} onClose={close} />
        </Suspense>
      )}
    </section>
  );
}

function Purge({ writer: { id, name }, onOpen }: { writer: CacheWriter; onOpen: (id: string) => void }) {
  return (
    <button
      className="btn bare"
      type="button"
      aria-label={`Purge what ${cutText(name, 60)} wrote`}
      onClick={() => onOpen(id)}
    >
      Purge…
    </button>
  );
}

const ORDER = { key: "last", isDescending: true };
const textOf = ({ name, commit_sha, ref, subject, token_id }: CacheWriter) =>
  [name, commit_sha, ref, subject, token_id].join(" ");

const KINDS: { readonly [kind: string]: string } = { user: "user", organization: "CI", job: "job" };

const COLUMNS: readonly TableColumn<CacheWriter>[] = [
  {
    key: "name",
    label: "Writer",
    isMain: true,
    value: ({ name }) => name,
    render: ({ name, kind, subject }) => (
      <span className="row">
        <span className="clip" title={subject || undefined}>
          <ReaderText text={name} length={48} />
        </span>
        <span className="tag">{KINDS[kind] ?? kind}</span>
      </span>
    ),
  },
  {
    key: "commit",
    label: "Commit",
    value: ({ commit_sha: sha }) => sha || null,
    render: (writer) => <Commit writer={writer} />,
  },
  {
    key: "ref",
    label: "Branch",
    isMinor: true,
    value: ({ ref }) => ref || null,
    render: ({ ref }) =>
      ref && (
        <span className="mono subtle">
          <ReaderText text={ref.replace(/^refs\/(?:heads|tags)\//, "")} length={28} />
        </span>
      ),
  },
  {
    key: "entries",
    label: "Entries",
    isNumber: true,
    value: ({ entries }) => Number(entries),
    render: ({ entries }) => <span className="number">{countEntries(entries)}</span>,
  },
  {
    key: "last",
    label: "Last wrote",
    isNumber: true,
    value: ({ last_at: at }) => at ?? null,
    render: ({ last_at: at }) => <Ago at={at} />,
  },
];

const countEntries = (entries: string) =>
  Number(entries) >= MAX_COUNTED ? `${formatCount(MAX_COUNTED)}+` : formatCount(Number(entries));

/** Links to the job's run; the issuer of the job's token vouched for commit and run. */
function Commit({ writer: { commit_sha: sha, run_url: run } }: { writer: CacheWriter }) {
  if (sha === "" && run === "") return null;
  const short = cutText(sha, 40).slice(0, 7) || "run";
  if (!run.startsWith("https://")) return <span className="mono">{short}</span>;
  return (
    <a className="link mono row" href={run} target="_blank" rel="noreferrer" title={`The run of ${short}`}>
      {short}
      <Icon name="externalLink" className="small" />
    </a>
  );
}

function NoWriters({ tool }: { tool: CacheTool }) {
  return (
    <EmptyState title={`No one has written entries for ${tool.name} yet`}>
      <p>Who writes an entry appears here. Readers do not.</p>
    </EmptyState>
  );
}
