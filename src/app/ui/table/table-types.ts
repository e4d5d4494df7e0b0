import type { ReactNode } from "react";

export interface TableColumn<Row> {
  key: string;
  label: string;
  render: (row: Row) => ReactNode;
  /** For sorting and for CSV and JSON; times as RFC 3339, nothing as null. */
  value: (row: Row) => string | number | null;
  /** For sorting, where that is something else: null is last in both directions. */
  rank?: (row: Row) => string | number | null;
  /** Right, in mono. */
  isNumber?: boolean;
  /** Takes what room is left. One of them; by default the first. */
  isMain?: boolean;
  /** Not shown at 390. */
  isMinor?: boolean;
  /** False: it cannot be sorted by. */
  isSortable?: boolean;
  /** At 390 it stands at the end of the row's first line: a state. By default the actions do. */
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
  /** Values to choose from, with how many rows have each (absent: unknown). */
  options: readonly { value: string; label: string }[];
  has: (row: Row, value: string) => boolean;
}

export interface TableOrder {
  key: string;
  isDescending: boolean;
}

/** What the table reads from, as TanStack Query gives it. */
export interface TableSource<Row> {
  data: readonly Row[] | undefined;
  error: Error | null;
  /** Milliseconds since 1970. */
  dataUpdatedAt: number;
  refetch: () => unknown;
}

/** Pages that are read while the reader scrolls; search and filters are then the server's. */
export interface TablePages<Row> {
  hasMore: boolean;
  isLoading: boolean;
  loadMore: () => void;
  /** Everything has come: the reader may choose another order. */
  isWhole?: boolean;
  /** Everything that the filters let through, for CSV and JSON. */
  readAll: (signal: AbortSignal) => AsyncIterable<readonly Row[]>;
}

/** Give `columns`, `segments` and `filters` that stay the same from one rendering to the next. */
export interface TableProps<Row> {
  /** "Tokens": the region's name and, in small letters, the file's. */
  name: string;
  /** "token", for "9 tokens" and "3 new tokens". */
  unit: string;
  /** "5 members, 1 invitation", where the rows are of several kinds. */
  countOf?: (rows: readonly Row[]) => string;
  source: TableSource<Row>;
  pages?: TablePages<Row>;
  /** The first one names the row (`<th scope="row">`). */
  columns: readonly TableColumn<Row>[];
  keyOf: (row: Row) => string;
  /** What the search looks at. Absent: there is no search. */
  textOf?: (row: Row) => string;
  /** "Name, id or person". */
  searchLabel?: string;
  /** Before the search, and after the chips. */
  beforeSearch?: ReactNode;
  afterChips?: ReactNode;
  segments?: readonly TableSegment<Row>[];
  filters?: readonly TableFilter<Row>[];
  order: TableOrder;
  /** Of the segments in the address and for assistive technology; by default "show" and "Show". */
  segmentKey?: string;
  segmentLabel?: string;
  /** By segment, where only the server knows all rows. */
  segmentCounts?: { readonly [key: string]: number };
  /** The row whose details stand beside the table (`?row=`). Given, also as undefined, Space opens and closes it. */
  currentKey?: string | undefined;
  /** Of the current row in the address, instead of "row". */
  currentParam?: string;
  /** Enter or a click on the row's name; absent: the first column has its own link or none. */
  onOpen?: (row: Row) => void;
  /** At the end of each row: quiet until it is hovered, focused or current. */
  actions?: (row: Row) => ReactNode;
  /** Instead of the table when there is no row at all. */
  empty: ReactNode;
  /** Beside the count: "Job tokens are not listed: they die with their job." */
  note?: ReactNode;
}
