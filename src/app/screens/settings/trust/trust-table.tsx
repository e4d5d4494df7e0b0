import { type TableColumn, type TableSource } from "../../../ui/table/table-types.ts";
import { DataTable } from "../../../ui/table/data-table.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { formatExchanges } from "./count-exchanges.ts";
import { ProviderMark } from "./provider-mark.tsx";
import type { TrustRow } from "./trust-rows.ts";

interface Props {
  rows: readonly TrustRow[] | undefined;
  source: Pick<TableSource<unknown>, "error" | "dataUpdatedAt" | "refetch">;
  /** Why the jobs are not counted. */
  countError: Error | null;
  currentKey: string | undefined;
  onOpen: (row: TrustRow) => void;
  /** Absent for people without the right. */
  onNew: (() => void) | undefined;
}

const UNKNOWN = <span className="number subtle">–</span>;

const ORDER = { key: "project", isDescending: false };
const claimsOf = ({ relationship }: TrustRow) => Object.keys(relationship.claims).join(", ");

const COLUMNS: readonly TableColumn<TrustRow>[] = [
  {
    key: "name",
    label: "Relationship",
    isMain: true,
    render: ({ name, relationship }) => (
      <span className="row mono">
        <ProviderMark issuer={relationship.issuer} />
        <bdi className="clip" title={`${name} at ${relationship.issuer}`}>
          {name}
        </bdi>
      </span>
    ),
    value: ({ name }) => name,
  },
  {
    key: "project",
    label: "Project",
    render: ({ project }) => project.name,
    value: ({ project }) => project.name,
  },
  {
    key: "claims",
    label: "Claims",
    isMinor: true,
    render: (row) => (
      <span className="mono muted claim-names clip" title={claimsOf(row)}>
        {claimsOf(row)}
      </span>
    ),
    value: claimsOf,
  },
  {
    key: "given",
    label: "Tokens, 7 d",
    isNumber: true,
    render: ({ count }) =>
      count ? (
        <span className="number">
          {formatExchanges(count.given, count.isCut)}
          <span className="narrow-word">{count.given === 1 ? " token" : " tokens"}</span>
        </span>
      ) : (
        UNKNOWN
      ),
    value: ({ count }) => count?.given ?? null,
  },
  {
    key: "refused",
    label: "Refused",
    isNumber: true,
    render: ({ count }) =>
      count ? (
        <span className={count.refused > 0 ? "number text-fail" : "number subtle"}>
          {formatExchanges(count.refused, count.isCut)}
          <span className="narrow-word"> refused</span>
        </span>
      ) : (
        UNKNOWN
      ),
    value: ({ count }) => count?.refused ?? null,
  },
];

export function TrustTable({ rows, source, countError, currentKey, onOpen, onNew }: Props) {
  return (
    <DataTable
      name="Trust relationships"
      unit="relationship"
      source={{ ...source, data: rows }}
      columns={COLUMNS}
      keyOf={({ key }) => key}
      textOf={({ name, project, relationship }) =>
        `${name} ${project.name} ${relationship.issuer} ${Object.entries(relationship.claims).flat().join(" ")}`
      }
      searchLabel="Repository, project or claim"
      order={ORDER}
      currentKey={currentKey}
      onOpen={onOpen}
      empty={
        <EmptyState title="No trust relationships yet">
          <p>
            With one, a CI job of GitHub, GitLab, CircleCI or Buildkite gets a job token without a stored
            secret.
          </p>
          {onNew && (
            <button className="btn action" type="button" onClick={onNew}>
              New relationship
            </button>
          )}
          <a className="link text-xs" href="/docs/api/authentication/ci-providers">
            CI identities
          </a>
        </EmptyState>
      }
      note={
        countError
          ? `Jobs could not be counted. ${countError.message}`
          : "For each project, the last 50 jobs that got a token and the last 50 refused jobs are kept."
      }
    />
  );
}
