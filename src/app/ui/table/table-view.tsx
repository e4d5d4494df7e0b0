import type { RowData } from "@tanstack/react-table";
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { useAddress } from "../../data/address.ts";
import { FilterBar } from "./filter-bar.tsx";
import { createPosition } from "./position.ts";
import { TableBody } from "./table-body.tsx";
import { TableFoot } from "./table-foot.tsx";
import { NewRows, TableFrame } from "./table-frame.tsx";
import { TableHead } from "./table-head.tsx";
import { NoMatch } from "./table-states.tsx";
import { useHeldRows } from "./use-held-rows.ts";
import { useRowKeys } from "./use-row-keys.ts";
import { canSort, sortableOf, useShownRows, type ViewProps } from "./use-shown-rows.ts";

/** Fetched with the first paged list. */
const MoreRows = lazy(async () => ({ default: (await import("./more-rows.tsx")).MoreRows }));

const VIRTUAL_FROM = 200;
/** Number of rows to inspect for the kind of a column's values. */
const SAMPLE = 10;

/** A table with loaded rows. */
export function TableView<Row extends RowData>(props: ViewProps<Row>) {
  const { name, rows, pages, empty } = props;
  const shown = useShownRows(props);
  const { address } = shown;
  const sample = useMemo(() => rows.slice(0, SAMPLE), [rows]);
  if (rows.length === 0 && !(pages && shown.hasConditions)) return empty;
  const sorting = { order: address.order, setOrder: address.setOrder, sample };
  return (
    <>
      <FilterBar
        {...address}
        what={name.toLowerCase()}
        rows={pages ? undefined : rows}
        hasSearch={props.textOf !== undefined}
        searchLabel={props.searchLabel}
        segments={props.segments}
        segmentLabel={props.segmentLabel ?? "Show"}
        segmentCounts={props.segmentCounts}
        filters={props.filters}
        before={props.beforeSearch}
        after={props.afterChips}
        sorting={{ ...sorting, columns: sortableOf(props.columns, canSort(pages)) }}
      />
      <TableRows {...props} shown={shown} sorting={sorting} />
    </>
  );
}

interface RowsProps<Row extends RowData> extends ViewProps<Row> {
  shown: ReturnType<typeof useShownRows<Row>>;
  sorting: Pick<Parameters<typeof TableHead<Row>>[0], "setOrder" | "sample">;
}

function TableRows<Row extends RowData>(props: RowsProps<Row>) {
  const { name, unit, columns, keyOf, pages, shown, sorting, rows: data } = props;
  const frame = useRef<HTMLDivElement>(null);
  const [position] = useState(createPosition);
  const { held, focusKey } = useLookedAt(props, frame);
  const count = shown.rows.length;
  const isVirtual = held.rows.length > VIRTUAL_FROM;
  const { actions, onOpen, currentKey } = props;
  return (
    <div className="section table-section">
      <NewRows count={held.waiting} unit={unit} frame={frame} release={held.release} />
      <TableFrame
        ref={frame}
        name={name}
        below={
          count === 0 && (
            <NoMatch {...shown} unit={unit} show={shown.address.show} isUncounted={pages !== undefined} />
          )
        }
        rowCount={isVirtual ? (pages?.hasMore ? -1 : held.rows.length + 1) : undefined}
      >
        <TableHead
          {...sorting}
          columns={columns}
          order={canSort(pages) ? props.shown.address.order : null}
          hasActions={actions !== undefined}
        />
        <TableBody
          {...held}
          {...{ isVirtual, columns, keyOf, actions, onOpen, currentKey, focusKey, position }}
        />
      </TableFrame>
      {pages && (
        <Suspense fallback={<output className="table-more" />}>
          <MoreRows {...pages} hasMore={pages.hasMore && !props.source.error} />
        </Suspense>
      )}
      <TableFoot
        {...{ name, unit, source: props.source, position, isVirtual, note: props.note, columns, count }}
        all={props.countOf?.(data)}
        total={pages?.hasMore ? undefined : pages ? count : data.length}
        readPages={pages && !pages.isWhole ? pages.readAll : () => [shown.rows]}
      />
    </div>
  );
}

/** Rows that do not move while they are viewed, and the row that keys have moved to. */
function useLookedAt<Row extends RowData>(props: RowsProps<Row>, frame: { current: HTMLElement | null }) {
  const { keyOf, currentKey, currentParam = "row", shown } = props;
  const { change } = useAddress();
  const hasCurrent = currentKey !== undefined;
  const held = useHeldRows({ rows: shown.rows, keyOf, view: shown.view, hasCurrent, frame });
  const setCurrent = useCallback(
    (key: string | null) => change({ [currentParam]: key }),
    [change, currentParam],
  );
  const focusKey = useRowKeys({
    keys: () => held.rows.map(keyOf),
    frame,
    currentKey: () => new URLSearchParams(location.search).get(currentParam) || null,
    setCurrent: "currentKey" in props ? setCurrent : undefined,
  });
  return { held, focusKey };
}
