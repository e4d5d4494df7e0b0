import type { ReactNode } from "react";

export interface TableColumn<Row> {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** For sorting and for CSV and JSON; times as RFC 3339, empty values as null. */
  value: (row: Row) => string | number | null;
  /** For sorting, when it differs from `value`: null is last in both directions. */
  rank?: (row: Row) => string | number | null;
  /** Right-aligned, in mono. */
  isNumber?: boolean;
  /** Takes the remaining width. One column only; by default the first. */
  isMain?: boolean;
  /** Hidden at 390. */
  isMinor?: boolean;
  /** False: the table cannot be sorted by it. */
  isSortable?: boolean;
  /** At 390 it is at the end of the row's first line: a state. By default the actions are. */
  isResult?: boolean;
}

/** One segmented choice: "All 9, People 5". The first one shows all. */
export interface TableSegment<Row> {
  key: string;
  label: string;
  has: (row: Row) => boolean;
}

/** A chip: dashed to add, tinted with its value when set. */
export interface TableFilter<Row> {
  key: string;
  label: string;
  /** The possible values, each with its number of rows (absent: unknown). */
  options: readonly { value: string; label: string }[];
  has: (row: Row, value: string) => boolean;
}

export interface TableOrder {
  key: string;
  isDescending: boolean;
}

/** The table's data, in the form of TanStack Query. */
export interface TableSource<Row> {
  data: readonly Row[] | undefined;
  error: Error | null;
  /** Milliseconds since 1970. */
  dataUpdatedAt: number;
  refetch: () => unknown;
}

/** Pages that are read while the reader scrolls; the server then searches and filters. */
export interface TablePages<Row> {
  hasMore: boolean;
  isLoading: boolean;
  loadMore: () => void;
  /** Everything is loaded: the reader may choose another order. */
  isWhole?: boolean;
  /** All rows that pass the filters, for CSV and JSON. */
  readAll: (signal: AbortSignal) => AsyncIterable<readonly Row[]>;
}

/** Give `columns`, `segments` and `filters` that stay the same between renderings. */
export interface TableProps<Row> {
  /** "Tokens": the region's name and, in lower case, the file's. */
  name: string;
  /** "token", for "9 tokens" and "3 new tokens". */
  unit: string;
  /** "5 members, 1 invitation", when the rows are of several kinds. */
  countOf?: (rows: readonly Row[]) => string;
  source: TableSource<Row>;
  pages?: TablePages<Row>;
  /** The first one names the row (`<th scope="row">`). */
  columns: readonly TableColumn<Row>[];
  keyOf: (row: Row) => string;
  /** Text for the search. Absent: there is no search. */
  textOf?: (row: Row) => string;
  /** "Name, id or person". */
  searchLabel?: string;
  /** Before the search, and after the chips. */
  beforeSearch?: ReactNode;
  afterChips?: ReactNode;
  segments?: readonly TableSegment<Row>[];
  filters?: readonly TableFilter<Row>[];
  order: TableOrder;
  /** Key and label of the segments in the address and for assistive technology; by default "show" and "Show". */
  segmentKey?: string;
  segmentLabel?: string;
  /** By segment, when only the server knows all rows. */
  segmentCounts?: { readonly [key: string]: number };
  /** The row whose details are next to the table (`?row=`). If given, even as undefined, Space opens and closes it. */
  currentKey?: string | undefined;
  /** Parameter of the current row in the address, instead of "row". */
  currentParam?: string;
  /** On Enter or a click on the row's name; absent: the first column has its own link or none. */
  onOpen?: (row: Row) => void;
  /** At the end of each row: subdued until it is hovered, focused or current. */
  actions?: (row: Row) => ReactNode;
  /** Shown instead of the table when there are no rows at all. */
  empty: ReactNode;
  /** Next to the count: "Job tokens are not listed: they die with their job." */
  note?: ReactNode;
}
