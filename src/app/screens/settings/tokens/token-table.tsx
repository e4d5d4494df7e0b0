import { useMemo } from "react";
import type { Token } from "#api/gen/json-types.ts";
import { useOrganization } from "../../../data/organization.ts";
import { Ago } from "../../../ui/ago.tsx";
import { Person } from "../../../ui/avatar.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { DataTable } from "../../../ui/table/data-table.tsx";
import type { TableColumn, TableFilter, TableSegment, TableSource } from "../../../ui/table/table-types.ts";
import { describeEnd, describeRights, isUnusedFor, LONG_UNUSED_DAYS, prefixOf } from "./token-words.ts";

interface Props {
  source: TableSource<Token>;
  nameOfProject: (id: string) => string;
  currentKey: string | undefined;
  onOpen: (token: Token) => void;
  onRevoke: (token: Token) => void;
  onNew: () => void;
}

const ORDER = { key: "used", isDescending: true };

/** People see only their own user tokens: the server lists no others. */
const SEGMENTS: readonly TableSegment<Token>[] = [
  { key: "all", label: "All", has: () => true },
  { key: "people", label: "Yours", has: ({ type }) => type === "user" },
  { key: "organization", label: "Organization", has: ({ type }) => type === "org" },
  { key: "projects", label: "Projects", has: ({ type }) => type === "project" },
];

const SEGMENTS_OF_MEMBERS = SEGMENTS.filter(({ key }) => key !== "organization");

const UNUSED: TableFilter<Token> = {
  key: "unused",
  label: "Unused since",
  options: [
    { value: "30", label: "30 days" },
    { value: "90", label: "90 days" },
    { value: "ever", label: "its creation" },
  ],
  has: (token, value) => (value === "ever" ? !token.last_used_at : isUnusedFor(token, Number(value))),
};

const FILTERS = [UNUSED];

export function TokenTable({ source, nameOfProject, currentKey, onOpen, onRevoke, onNew }: Props) {
  const { isOwner } = useOrganization();
  const columns = useColumns(nameOfProject);
  return (
    <DataTable
      name="Tokens"
      unit="token"
      source={source}
      columns={columns}
      keyOf={({ id }) => id}
      textOf={(token) => `${token.name} ${token.id} ${token.owner} ${nameOfProject(token.project_id)}`}
      searchLabel="Name, id or person"
      segments={isOwner ? SEGMENTS : SEGMENTS_OF_MEMBERS}
      filters={FILTERS}
      order={ORDER}
      currentKey={currentKey}
      onOpen={onOpen}
      // oxlint-disable-next-line react/no-unstable-nested-components -- called for each row, mounted nowhere
      actions={(token) => (
        <button
          className="btn danger"
          type="button"
          aria-label={`Revoke ${token.name}…`}
          onClick={() => onRevoke(token)}
        >
          Revoke…
        </button>
      )}
      empty={
        <EmptyState title="No tokens yet">
          <p>
            millrace login makes one for your machine. CI jobs with OIDC need none: a trust relationship gives
            each job its own.
          </p>
          <button className="btn action" type="button" onClick={onNew}>
            New token
          </button>
        </EmptyState>
      }
      note={
        isOwner
          ? "Job tokens are not listed: they die with their job."
          : "Owners also see tokens of the organization. Job tokens die with their job."
      }
    />
  );
}

function useColumns(nameOfProject: (id: string) => string): readonly TableColumn<Token>[] {
  return useMemo(
    () => [
      {
        key: "name",
        label: "Name",
        isMain: true,
        render: (token) => <Name token={token} />,
        value: ({ name }) => name,
      },
      {
        key: "type",
        label: "Type",
        isMinor: true,
        render: ({ type }) => <span className="tag">{prefixOf(type)}</span>,
        value: ({ type }) => type,
      },
      {
        key: "may",
        label: "May",
        render: (token) => <Clipped text={describeRights(token, nameOfProject)} />,
        value: (token) => describeRights(token, nameOfProject),
      },
      {
        key: "owner",
        label: "Created by",
        render: ({ owner }) =>
          owner === "" ? <span className="subtle">the server</span> : <Person name={owner} />,
        value: ({ owner }) => owner,
      },
      {
        key: "used",
        label: "Last used",
        isNumber: true,
        render: (token) => <LastUsed token={token} />,
        value: ({ last_used_at }) => last_used_at ?? null,
      },
      {
        key: "from",
        label: "From",
        isMinor: true,
        render: ({ last_used_from: from }) => <span className="mono subtle">{from}</span>,
        value: ({ last_used_from: from }) => from || null,
      },
      {
        key: "expires",
        label: "Expires",
        isNumber: true,
        isMinor: true,
        render: (token) => <span className="number subtle">{describeEnd(token)}</span>,
        value: ({ expires_at }) => expires_at ?? null,
      },
    ],
    [nameOfProject],
  );
}

function Name({ token: { name, id } }: { token: Token }) {
  return (
    <span className="row">
      <bdi className="clip" title={name}>
        {name}
      </bdi>
      <span className="mono secondary narrow-hidden">{id}</span>
    </span>
  );
}

function LastUsed({ token }: { token: Token }) {
  return (
    <span className={isUnusedFor(token, LONG_UNUSED_DAYS) ? "is-stale" : undefined}>
      <Ago at={token.last_used_at} never="not yet" />
    </span>
  );
}

function Clipped({ text }: { text: string }) {
  return (
    <span className="muted" title={text}>
      {text}
    </span>
  );
}
