import { useCallback } from "react";
import type { ProposalRow } from "#telemetry/index.ts";
import { useAddress } from "../../../data/address.ts";
import { formatDay, plural } from "../../../format.ts";
import { Counted } from "../../../ui/counted.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ReaderText } from "../../../ui/reader-text.tsx";
import type { TableColumn, TableSegment } from "../../../ui/table/table-types.ts";
import { TablePage, useRangeReport } from "../table-page.tsx";
import { describeProposal } from "./describe-proposal.ts";
import { ProposalDialog } from "./proposal-dialog.tsx";

const ORDER = { key: "count", isDescending: true };

const SEGMENTS: readonly TableSegment<ProposalRow>[] = [
  { key: "all", label: "All", has: () => true },
  { key: "nothing", label: "No hits", has: ({ outcome }) => outcome === "nothing" },
  { key: "unopened", label: "No clicks", has: ({ outcome }) => outcome === "unopened" },
];

/** Searches in vain, each with the change that is most likely to answer it. */
export function ProposalsPage() {
  const read = useRangeReport<ProposalRow[]>("searches/proposals");
  const { params, change } = useAddress();
  const chosen = read.report.data?.find(({ query }) => query === params.get("do"));
  const close = useCallback(() => change({ do: null }), [change]);
  const actionsOf = useCallback(
    ({ query }: ProposalRow) => (
      <button className="btn" type="button" onClick={() => change({ do: query })}>
        Review…<span className="vh"> the proposal for {query.slice(0, 80)}</span>
      </button>
    ),
    [change],
  );
  return (
    <TablePage
      title="Proposals"
      lead="Searches that found nothing, or whose hits no one opened, each with a change that may answer it. Review a proposal to see its effect on all past searches."
      read={read}
      unit="search"
      columns={COLUMNS}
      keyOf={(row) => row.query}
      textOf={(row) => `${row.query} ${row.alike.join(" ")}`}
      searchLabel="Words"
      segments={SEGMENTS}
      order={ORDER}
      actions={actionsOf}
      empty={<NothingToPropose />}
      note="The 200 most frequent ones. A search is shown after it was made three times, and what readers did next after three readers did it."
    >
      {chosen && <ProposalDialog row={chosen} onClose={close} />}
    </TablePage>
  );
}

const OUTCOMES = { nothing: "No hits", unopened: "No clicks" } as const;

const COLUMNS: readonly TableColumn<ProposalRow>[] = [
  {
    key: "query",
    label: "Query",
    value: (row) => row.query,
    render: ({ query, alike }) => (
      <>
        <ReaderText text={query} length={60} />
        {alike.length > 0 && <span className="subtle"> and {plural(alike.length, "other spelling")}</span>}
      </>
    ),
  },
  {
    key: "proposal",
    label: "Proposal",
    value: ({ proposals: [first] }) => (first ? describeProposal(first) : null),
    render: ({ proposals: [first] }) => first && <ReaderText text={describeProposal(first)} length={60} />,
  },
  {
    key: "count",
    label: "Count",
    isNumber: true,
    value: (row) => row.count,
    render: (row) => <Counted count={row.count} unit="search" />,
  },
  {
    key: "outcome",
    label: "Outcome",
    isMinor: true,
    value: (row) => OUTCOMES[row.outcome],
    render: (row) => OUTCOMES[row.outcome],
  },
  {
    key: "last",
    label: "Last day",
    isNumber: true,
    isMinor: true,
    value: (row) => new Date(row.lastDay).toISOString(),
    render: (row) => formatDay(row.lastDay),
  },
];

function NothingToPropose() {
  return (
    <EmptyState title="No search needs a proposal">
      <p>
        Words that find nothing appear here after three searches, and words whose hits no one opens once
        readers have agreed to analytics.
      </p>
    </EmptyState>
  );
}
