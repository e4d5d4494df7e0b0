import type { PageReportRow } from "#telemetry/index.ts";
import { useAddress } from "../data/address.ts";
import { useRange } from "../data/range.ts";
import { useReport } from "../data/use-report.ts";
import { formatCount, formatDateTime, formatShare, plural } from "../format.ts";
import { DataTable, NAME_ORDERS, type Column } from "../ui/data-table.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { ReaderText } from "../ui/reader-text.tsx";
import { Empty, Show } from "../ui/states.tsx";

export function PagesPage() {
  const { query, range } = useRange();
  const { params, change } = useAddress();
  const path = `pages?${query}`;
  const [report, again] = useReport<PageReportRow[]>(path);
  const open = params.get("comments");
  return (
    <>
      <PageHead title="Pages" exports={{ path, name: `pages-${range.key}` }}>
        <p className="note">
          Views and feedback are of everyone. A search from a page is known of readers who agreed to
          analytics: many of them say that the page did not answer.
        </p>
      </PageHead>
      <Show report={report} again={again} what="The pages">
        {(rows) =>
          rows.length === 0 ? (
            <NoPages />
          ) : (
            <>
              <DataTable
                caption="Pages"
                rows={rows}
                columns={columnsOf(open, (page) => change({ comments: page }))}
                keyOf={(row) => row.path}
                textOf={(row) => row.path}
                defaultOrder={{ key: "views", isDescending: true }}
                unit="page"
              />
              <Comments
                row={rows.find((row) => row.path === open)}
                onClose={() => change({ comments: null })}
              />
            </>
          )
        }
      </Show>
    </>
  );
}

const answersTo = ({ yes, no }: PageReportRow) => yes + no;

function columnsOf(open: string | null, onOpen: (path: string | null) => void): Column<PageReportRow>[] {
  return [
    {
      key: "path",
      label: "Page",
      orders: NAME_ORDERS,
      sortValue: (row) => row.path,
      render: (row) => (
        <a className="mono-link" href={row.path}>
          <ReaderText text={row.path} length={70} />
        </a>
      ),
    },
    {
      key: "views",
      label: "Views",
      isNumber: true,
      sortValue: (row) => row.views,
      render: (row) => formatCount(row.views),
    },
    {
      key: "yes",
      label: "Helpful",
      isNumber: true,
      isMinor: true,
      sortValue: (row) => (answersTo(row) > 0 ? row.yes / answersTo(row) : null),
      render: (row) => <HelpfulShare row={row} />,
    },
    {
      key: "no",
      label: "Not helpful",
      isNumber: true,
      isMinor: true,
      sortValue: (row) => row.no,
      render: (row) => formatCount(row.no),
    },
    {
      key: "exits",
      label: "Searches from it",
      isNumber: true,
      isMinor: true,
      sortValue: (row) => row.exitsToSearch,
      render: (row) => formatCount(row.exitsToSearch),
    },
    {
      key: "comments",
      label: "Comments",
      isNumber: true,
      sortValue: (row) => row.comments.length,
      render: (row) => <CommentsButton row={row} isOpen={open === row.path} onOpen={onOpen} />,
    },
  ];
}

function HelpfulShare({ row }: { row: PageReportRow }) {
  const answers = answersTo(row);
  return (
    <>
      {formatShare(row.yes, answers)} {answers > 0 && <span className="of">of {answers}</span>}
    </>
  );
}

interface CommentsButtonProps {
  row: PageReportRow;
  isOpen: boolean;
  onOpen: (path: string | null) => void;
}

function CommentsButton({ row, isOpen, onOpen }: CommentsButtonProps) {
  if (row.comments.length === 0) return <span className="of">none</span>;
  return (
    <button
      className="btn btn-line btn-sm"
      type="button"
      aria-pressed={isOpen}
      aria-label={`${plural(row.comments.length, "comment")} on ${row.path}`}
      onClick={() => onOpen(isOpen ? null : row.path)}
    >
      {row.comments.length}
    </button>
  );
}

function Comments({ row, onClose }: { row: PageReportRow | undefined; onClose: () => void }) {
  if (!row) return null;
  return (
    <section className="comments" aria-labelledby="comments-title">
      <div className="section-head">
        <h2 id="comments-title">
          Comments on <bdi>{row.path}</bdi>
        </h2>
        <button className="btn btn-line btn-sm" type="button" onClick={onClose}>
          Close
        </button>
      </div>
      <ul>
        {row.comments.map((comment) => (
          <li key={`${comment.at}${comment.text}`}>
            <p className="note">
              <b>{comment.answer === "yes" ? "Helpful" : "Not helpful"}</b> · {formatDateTime(comment.at)}
            </p>
            <p className="reader-words">
              <bdi>{comment.text || "(no words)"}</bdi>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function NoPages() {
  return (
    <Empty title="No page was opened in this range">
      <p>
        Each view of a page is counted on the server, without an identifier.{" "}
        <a href="/docs">Open the documentation</a>, then load this page again. Answers to “Was this page
        helpful?” and their comments appear here too.
      </p>
    </Empty>
  );
}
