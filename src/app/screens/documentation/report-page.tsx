import { type ReactNode, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useNavigate } from "react-router";
import { useAddress, useRangeSearch, withParams } from "../../data/address.ts";
import { readSignedOut, watchSignedOut } from "../../data/call.ts";
import { type Crumb, Head, Page } from "../../page/page.tsx";
import { Icon } from "../../ui/icon.tsx";
import { RANGES } from "./range.ts";
import { RangePicker } from "./range-picker.tsx";
import type { Report } from "./report.ts";
import "../../styles/frame/documentation.css";

interface Props {
  title: string;
  report: Report<unknown>;
  lead?: ReactNode;
  /** Places between "Documentation" and this page; addresses without the range. */
  above?: readonly Crumb[];
  hasRange?: boolean;
  /** Before the range: downloads, a switch. */
  actions?: ReactNode;
  children: ReactNode;
}

const NONE: readonly never[] = [];

/** One page of figures: its range is in the address, and old figures are dimmed until the new ones are there. */
export function ReportPage({ title, report, lead, above = NONE, hasRange = true, actions, children }: Props) {
  const search = useRangeSearch();
  const crumbs = useMemo(
    () =>
      [{ label: "Documentation", to: "/console" }, ...above].map(({ label, to }) => ({
        label,
        ...(to && { to: to + search }),
      })),
    [above, search],
  );
  const rangeActions = useRangeActions();
  // Behind the question for a sign-in the page stays as it was.
  const isSignedOut = useSyncExternalStore(watchSignedOut, readSignedOut);
  const isReading = report.isPlaceholderData && !isSignedOut;
  const isOld = isReading || (report.error !== null && report.data !== undefined);
  return (
    <Page title={title} above={crumbs} actions={hasRange ? rangeActions : NONE}>
      <Head
        title={title}
        lead={lead}
        actions={
          <>
            {actions}
            {hasRange && <RangePicker />}
          </>
        }
      />
      <div className="report" aria-busy={isReading} data-old={isOld}>
        {children}
        {report.isPending && <SlowNote />}
      </div>
    </Page>
  );
}

function useRangeActions() {
  const { params } = useAddress();
  const navigate = useNavigate();
  return useMemo(
    () =>
      RANGES.map((range) => ({
        label: `Show the last ${range.label}`,
        icon: "calendar" as const,
        run: () => void navigate(withParams(params, { range: range.key })),
      })),
    [params, navigate],
  );
}

/** A word about the delay, after six seconds. */
function SlowNote() {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), 6000);
    return () => clearTimeout(timer);
  }, []);
  if (!isSlow) return null;
  return (
    <p className="xs muted">Still waiting for the answer: the database is busy or the range is large.</p>
  );
}

interface DownloadsProps {
  /** Below `/console/api/`, with its query. */
  path: string;
  /** Of the file. */
  name: string;
  formats?: readonly ("csv" | "json")[];
  /** What the file has beside what the page shows: "with comments". */
  has?: string;
}

/** The report as a file, made by the server. */
export function Downloads({ path, name, formats = ["csv", "json"], has }: DownloadsProps) {
  const url = `/console/api/${path}`;
  return formats.map((format) => (
    <a
      key={format}
      className="btn"
      href={format === "csv" ? `${url}${path.includes("?") ? "&" : "?"}format=csv` : url}
      download={`${name}.${format}`}
    >
      <Icon name={format === "csv" ? "download" : "braces"} />
      <span className="vh">Download </span>
      {format.toUpperCase()}
      {has && ` ${has}`}
    </a>
  ));
}
