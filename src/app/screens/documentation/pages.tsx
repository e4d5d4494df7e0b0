import { useMemo } from "react";
import type { PageReportRow } from "#telemetry/index.ts";
import { useAddress } from "../../data/address.ts";
import { formatCount, formatDateTime, formatShare, plural } from "../../format.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ReaderText } from "../../ui/reader-text.tsx";
import type { TableColumn } from "../../ui/table/table-types.ts";
import { Counted } from "../../ui/counted.tsx";
import { Downloads } from "./report-page.tsx";
import { TablePage, useRangeReport } from "./table-page.tsx";

const ORDER = { key: "views", isDescending: true };

export function PagesPage() {
  const read = useRangeReport<PageReportRow[]>("pages");
  const { params, change } = useAddress();
  const open = params.get("comments");
  const commented = read.report.data?.find((row) => row.path === open);
  const columns = useMemo(() => columnsOf(open, (page) => change({ comments: page })), [open, change]);
  return (
    <TablePage
      title="Pages"
      lead="Views and feedback come from everyone. Searches from a page come only from readers who agreed to analytics: many of them mean that the page did not answer the question."
      pageActions={<Downloads path={read.path} name={`pages-${read.range.key}`} has="with comments" />}
      read={read}
      unit="page"
      columns={columns}
      keyOf={(row) => row.path}
      textOf={(row) => row.path}
      searchLabel="Path"
      order={ORDER}
      empty={<NoPages />}
    >
      {commented && <Comments row={commented} onClose={() => change({ comments: null })} />}
    </TablePage>
  );
}

const answersTo = ({ yes, no }: PageReportRow) => yes + no;

function columnsOf(open: string | null, onOpen: (path: string | null) => void): TableColumn<PageReportRow>[] {
  const number = { isNumber: true, isMinor: true };
  return [
    {
      key: "path",
      label: "Page",
      value: (row) => row.path,
      render: (row) => (
        <a className="mono" href={row.path}>
          <ReaderText text={row.path} length={70} />
        </a>
      ),
    },
    {
      key: "views",
      label: "Views",
      isNumber: true,
      value: (row) => row.views,
      render: (row) => <Counted count={row.views} unit="view" />,
    },
    {
      key: "yes",
      label: "Helpful",
      ...number,
      value: (row) => (answersTo(row) > 0 ? row.yes / answersTo(row) : null),
      render: (row) => <HelpfulShare row={row} />,
    },
    {
      key: "no",
      label: "Not helpful",
      ...number,
      value: (row) => row.no,
      render: (row) => formatCount(row.no),
    },
    {
      key: "exits",
      label: "Searches from it",
      ...number,
      value: (row) => row.exitsToSearch,
      render: (row) => formatCount(row.exitsToSearch),
    },
    {
      key: "comments",
      label: "Comments",
      isNumber: true,
      value: (row) => row.comments.length,
      render: (row) => <CommentsButton row={row} isOpen={open === row.path} onOpen={onOpen} />,
    },
  ];
}

function HelpfulShare({ row }: { row: PageReportRow }) {
  const answers = answersTo(row);
  return (
    <>
      {formatShare(row.yes, answers)} {answers > 0 && <span className="subtle">of {answers}</span>}
    </>
  );
}

interface CommentsButtonProps {
  row: PageReportRow;
  isOpen: boolean;
  onOpen: (path: string | null) => void;
}

function CommentsButton({ row, isOpen, onOpen }: CommentsButtonProps) {
  if (row.comments.length === 0) return <Counted count={0} unit="comment" />;
  return (
    <button
      className="btn"
      type="button"
      aria-pressed={isOpen}
      aria-label={`${plural(row.comments.length, "comment")} on ${row.path}`}
      onClick={() => onOpen(isOpen ? null : row.path)}
    >
      <Counted count={row.comments.length} unit="comment" />
    </button>
  );
}

/** Above the list: below a long list no one would see it. */
function Comments({ row, onClose }: { row: PageReportRow; onClose: () => void }) {
  return (
    <section className="panel" aria-labelledby="comments-title">
      <div className="panel-header">
        <h2 id="comments-title">
          Comments on <bdi>{row.path}</bdi>
        </h2>
        <button
          className="icon-button small end"
          type="button"
          aria-label="Close the comments"
          onClick={onClose}
        >
          <Icon name="x" />
        </button>
      </div>
      <ul className="said">
        {row.comments.map((comment) => (
          <li key={`${comment.at}${comment.text}`}>
            <p className="words">
              <bdi>{comment.text || "(no words)"}</bdi>
            </p>
            <p className="text-xs subtle">
              {comment.answer === "yes" ? "Helpful" : "Not helpful"}, {formatDateTime(comment.at)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoPages() {
  return (
    <EmptyState title="No page was opened in this range">
      <p>
        Each view of a page is counted on the server, without an identifier.{" "}
        <a className="link" href="/docs">
          Open the documentation
        </a>
        , then reload this page. Answers to “Was this page helpful?” and their comments appear here too.
      </p>
    </EmptyState>
  );
}
