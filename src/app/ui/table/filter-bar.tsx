import {
  type KeyboardEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { formatCount } from "../../format.ts";
import { afterPaint } from "../after-paint.ts";
import { Icon } from "../icon.tsx";
import { Menu } from "../menu.tsx";
import { Segmented } from "../segmented.tsx";
import { acceptsKey } from "../keys/accepts-key.ts";
import type { Conditions } from "./row-filter.ts";
import { describeOrders, orderText, parseOrder } from "./row-order.ts";
import type { TableColumn, TableFilter, TableOrder, TableSegment } from "./table-types.ts";
import { MAX_SEARCH_LENGTH } from "./use-table-address.ts";

// Counting more rows costs more than the counts are worth.
const MAX_COUNTED = 200_000;

interface Props<Row> {
  /** "tokens" */
  what: string;
  /** Undefined while they are read, or when only the server knows all. */
  rows: readonly Row[] | undefined;
  conditions: Conditions;
  show: (conditions: Conditions) => void;
  setText: (text: string) => void;
  revision: number;
  hasSearch: boolean;
  searchLabel: string | undefined;
  segments: readonly TableSegment<Row>[] | undefined;
  segmentLabel: string;
  /** Used instead of counting the rows. */
  segmentCounts: { readonly [key: string]: number } | undefined;
  filters: readonly TableFilter<Row>[] | undefined;
  before: ReactNode;
  after: ReactNode;
  sorting: SortProps<Row>;
}

/** Search, one segmented choice with counts, chips; at 390 also the order. */
export function FilterBar<Row>(props: Props<Row>) {
  const { what, rows, conditions, show, segments, segmentCounts, filters, sorting } = props;
  const counts = useMemo(
    () =>
      segments?.map(
        ({ key, has }) => segmentCounts?.[key] ?? rows?.reduce((count, row) => count + Number(has(row)), 0),
      ),
    [rows, segments, segmentCounts],
  );
  return (
    <search className="filters" aria-label={`Filter ${what}`}>
      {props.before}
      {props.hasSearch && (
        <SearchField
          key={props.revision}
          label={`Filter ${what}`}
          placeholder={props.searchLabel ?? `Filter ${what}`}
          initial={conditions.text}
          onText={props.setText}
        />
      )}
      {segments && segments.length > 0 && (
        <Segmented
          label={props.segmentLabel}
          options={segments.map(({ key, label }, index) => ({
            value: index === 0 ? "" : key,
            label: <Counted label={label} count={counts?.[index]} />,
          }))}
          value={
            segments.some(({ key }, index) => index > 0 && key === conditions.segment)
              ? conditions.segment
              : ""
          }
          onChange={(segment) => show({ ...conditions, segment })}
        />
      )}
      {filters?.map((filter) => (
        <Chip
          key={filter.key}
          filter={filter}
          rows={rows}
          value={conditions.values.get(filter.key)}
          onValue={(value) =>
            show({ ...conditions, values: withValue(conditions.values, filter.key, value) })
          }
        />
      ))}
      {props.after}
      {sorting.columns.length > 0 && <SortChoice {...sorting} />}
    </search>
  );
}

/** The count's space is reserved before it is known. */
function Counted({ label, count }: { label: string; count: number | undefined }) {
  return (
    <>
      {label} <span className="number table-count">{count !== undefined && formatCount(count)}</span>
    </>
  );
}

function withValue(values: ReadonlyMap<string, string>, key: string, value: string | null) {
  const next = new Map(values);
  if (value === null) next.delete(key);
  else next.set(key, value);
  return next;
}

interface SearchProps {
  label: string;
  placeholder: string;
  initial: string;
  onText: (text: string) => void;
}

/** Letters appear immediately; the rows follow after the paint, when there is time. */
function SearchField({ label, placeholder, initial, onText }: SearchProps) {
  const [text, setText] = useState(initial);
  const field = useRef<HTMLInputElement>(null);
  const takeBack = useRef(() => {});
  const change = (next: string) => {
    setText(next);
    takeBack.current();
    takeBack.current = afterPaint(() => startTransition(() => onText(next)));
  };
  useEffect(() => () => takeBack.current(), []);
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "/" || !acceptsKey(event)) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  const clear = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    event.preventDefault();
    if (text === "") field.current?.blur();
    else change("");
  };
  return (
    <span className="find">
      <Icon name="search" />
      <input
        ref={field}
        className="input small"
        aria-label={label}
        aria-keyshortcuts="/"
        data-page-search=""
        placeholder={placeholder}
        value={text}
        maxLength={MAX_SEARCH_LENGTH}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => change(event.target.value)}
        onKeyDown={clear}
      />
      <kbd aria-hidden="true">/</kbd>
    </span>
  );
}

interface ChipProps<Row> {
  filter: TableFilter<Row>;
  rows: readonly Row[] | undefined;
  value: string | undefined;
  onValue: (value: string | null) => void;
}

function Chip<Row>({ filter, rows, value, onValue }: ChipProps<Row>) {
  const items = useMemo(() => {
    const isCounted = rows && rows.length * filter.options.length <= MAX_COUNTED;
    return filter.options.map((option) => ({
      ...option,
      count: isCounted ? rows.filter((row) => filter.has(row, option.value)).length : undefined,
    }));
  }, [filter, rows]);
  const menu = items.map(({ value: each, label, count }) => ({
    key: each,
    label: (
      <>
        <bdi className="clip">{label}</bdi>
        {count !== undefined && <span className="number subtle end">{formatCount(count)}</span>}
      </>
    ),
    isChosen: each === value,
    run: () => onValue(each),
  }));
  if (value === undefined)
    return (
      <Menu className="chip" label={`Filter by ${filter.label.toLowerCase()}`} items={menu}>
        <Icon name="plus" />
        {filter.label}
      </Menu>
    );
  const chosen = filter.options.find((option) => option.value === value)?.label ?? value;
  return (
    <span className="chip on">
      <Menu className="chip-value" label={`${filter.label} ${chosen}, change`} items={menu}>
        {filter.label} <b className="clip">{chosen}</b>
      </Menu>
      <button
        className="chip-remove"
        type="button"
        aria-label={`Remove “${filter.label} ${chosen}”`}
        onClick={() => onValue(null)}
      >
        <Icon name="x" />
      </button>
    </span>
  );
}

interface SortProps<Row> {
  /** Sortable columns. */
  columns: readonly TableColumn<Row>[];
  order: TableOrder;
  setOrder: (order: TableOrder) => void;
  sample: readonly Row[];
}

/** For narrow screens, where the head is not shown. */
function SortChoice<Row>({ columns, order, setOrder, sample }: SortProps<Row>) {
  const keys = columns.map(({ key }) => key);
  return (
    <select
      className="input small table-sort"
      aria-label="Sort by"
      value={orderText(order)}
      onChange={(event) => setOrder(parseOrder(event.target.value, keys, order))}
    >
      {columns.map((column) => {
        const words = describeOrders(sample.map(column.value));
        return [true, false].map((isDescending) => (
          <option key={`${column.key}${isDescending}`} value={orderText({ key: column.key, isDescending })}>
            {column.label}, {isDescending ? words.descending : words.ascending}
          </option>
        ));
      })}
    </select>
  );
}
