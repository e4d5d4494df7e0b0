import type { RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { DataTable } from "../../ui/table/data-table.tsx";
import type { TableProps } from "../../ui/table/table-types.ts";
import { type Range, useRange } from "./range.ts";
import { type Report, shownKey, useReport } from "./report.ts";
import { ReportPage } from "./report-page.tsx";

/** A report for the address's range. */
export interface RangeReport<T> {
  /** Below `/console/api/`, with its query. */
  path: string;
  range: Range;
  report: Report<T>;
}

/** @param name of the report, which may have its own query: "searches?kind=top" */
export function useRangeReport<T>(name: string): RangeReport<T> {
  const { query, range } = useRange();
  const path = `${name}${name.includes("?") ? "&" : "?"}${query}`;
  return { path, range, report: useReport<T>(path) };
}

interface Props<Row> extends Omit<TableProps<Row>, "name" | "source"> {
  /** The page's title; also the table's name if none is given. */
  title: string;
  name?: string;
  lead: ReactNode;
  /** Next to the page's title; `actions` are those of a row. */
  pageActions?: ReactNode;
  read: RangeReport<Row[]>;
  /** Given when not all rows of the report are shown. */
  source?: TableProps<Row>["source"];
  /** Dialogs, and parts above the table. */
  children?: ReactNode;
}

/** A page of figures with a single table. */
export function TablePage<Row extends RowData>({
  title,
  lead,
  pageActions,
  read,
  children,
  ...table
}: Props<Row>) {
  const { path, report } = read;
  return (
    <ReportPage title={title} report={report} lead={lead} actions={pageActions}>
      {children}
      <DataTable key={shownKey(report, path)} name={title} source={report} {...table} />
    </ReportPage>
  );
}
