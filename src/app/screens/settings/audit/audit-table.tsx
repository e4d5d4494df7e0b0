import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { AuditEvent } from "#api/gen/json-types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { membersQuery } from "../../../data/queries.ts";
import { Person } from "../../../ui/avatar.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { TableColumn, TableFilter } from "../../../ui/table/table-types.ts";
import { ACTION_OPTIONS, describeAction, describeTarget } from "./action-words.ts";
import { WHEN_OPTIONS } from "./audit-filters.ts";
import { DidWords } from "./did-words.tsx";
import { formatEventTime } from "./event-time.ts";
import type { AuditLog } from "./use-audit-log.ts";

interface Props {
  log: AuditLog;
  currentKey: string | undefined;
  onOpen: (event: AuditEvent) => void;
}

const ORDER = { key: "time", isDescending: true };
/** Only the server's order is possible: it sends page after page. */
const FIXED = { isSortable: false } as const;

const COLUMNS: readonly TableColumn<AuditEvent>[] = [
  {
    ...FIXED,
    key: "time",
    label: "Time",
    render: ({ time }) => (
      <time className="number subtle" dateTime={time} title={time && new Date(time).toString()}>
        {formatEventTime(time, new Date())}
      </time>
    ),
    value: ({ time }) => time ?? null,
  },
  {
    ...FIXED,
    key: "who",
    label: "Who",
    render: ({ actor }) => (
      <span className="row who" title={actor}>
        {actor === "" ? <span className="subtle">the server</span> : <Person name={actor} />}
      </span>
    ),
    value: ({ actor }) => actor,
  },
  {
    ...FIXED,
    key: "did",
    label: "Did",
    render: (event) => <DidWords event={event} />,
    value: (event) => describeAction(event).did,
  },
  {
    ...FIXED,
    key: "target",
    label: "To what",
    isMain: true,
    render: (event) => (
      <bdi className="clip" title={describeTarget(event)}>
        {describeTarget(event)}
      </bdi>
    ),
    value: describeTarget,
  },
  {
    ...FIXED,
    key: "address",
    label: "Address",
    isMinor: true,
    isNumber: true,
    render: ({ address }) => <span className="mono subtle">{address}</span>,
    value: ({ address }) => address || null,
  },
];

export function AuditTable({ log: { source, pages, isFiltered }, currentKey, onOpen }: Props) {
  const filters = useFilters(source.data ?? []);
  return (
    <DataTable
      name="Audit log"
      unit="line"
      source={source}
      pages={pages}
      columns={COLUMNS}
      keyOf={({ id }) => id}
      textOf={(event) =>
        `${event.actor} ${describeAction(event).did} ${describeTarget(event)} ${event.address} ${event.action}`
      }
      searchLabel="Person, action, object"
      filters={filters}
      order={ORDER}
      currentKey={currentKey}
      onOpen={onOpen}
      empty={
        <EmptyState title={isFiltered ? "No line matches" : "Nothing has been changed yet"}>
          <p>
            {isFiltered
              ? "Remove a filter, or look for another word."
              : "Invitations, tokens, projects and roles appear here as they change."}
          </p>
        </EmptyState>
      }
      note="The server’s log has the same lines."
    />
  );
}

/** The server filters: every received row has passed. */
const PASSES = () => true;

function useFilters(events: readonly AuditEvent[]): readonly TableFilter<AuditEvent>[] {
  const { name: organization } = useOrganization();
  const { data: members } = useQuery(membersQuery(organization));
  return useMemo(() => {
    const people = new Map(members?.map(({ user_id, name }) => [user_id, name]));
    // Tokens, jobs and people who have left, in the part of the log that was read.
    for (const { actor_id: id, actor } of events) if (id !== "" && !people.has(id)) people.set(id, actor);
    const addresses = new Set(events.map(({ address }) => address).filter(Boolean));
    return [
      { key: "when", label: "When", options: WHEN_OPTIONS, has: PASSES },
      {
        key: "person",
        label: "Person",
        options: [...people].map(([value, label]) => ({ value, label })),
        has: PASSES,
      },
      { key: "action", label: "Action", options: ACTION_OPTIONS, has: PASSES },
      {
        key: "from",
        label: "From",
        options: [...addresses].toSorted().map((value) => ({ value, label: value })),
        has: PASSES,
      },
    ];
  }, [members, events]);
}
