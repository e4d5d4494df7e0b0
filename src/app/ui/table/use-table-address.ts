import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useMemo, useState } from "react";
import { useLocation } from "react-router";
import { useAddress } from "../../data/address.ts";
import type { Conditions } from "./row-filter.ts";
import { orderText, parseOrder } from "./row-order.ts";
import type { TableOrder } from "./table-types.ts";

// Browsers refuse more than a hundred changes of the address in ten seconds.
const WRITE_AFTER_MS = 250;
export const MAX_SEARCH_LENGTH = 200;

/** Number of remembered pages: their filters are restored when the reader returns by a link. In memory only. */
const MAX_REMEMBERED = 50;
const remembered = new Map<string, ReadonlyMap<string, string>>();

interface Input {
  /** Keys of the sortable columns. */
  orderKeys: readonly string[];
  order: TableOrder;
  segmentKey: string;
  filterKeys: readonly string[];
}

/** The table's conditions and order, read from the address and written to it: `q`, the segment, each filter, `sort`. */
export function useTableAddress({ orderKeys, order: fallback, segmentKey, filterKeys }: Input) {
  const { params, change } = useAddress();
  const names = useMemo(() => ["q", segmentKey, ...filterKeys, "sort"], [segmentKey, filterKeys]);
  useRememberedAddress(names);
  // Older addresses called the search `find`.
  const { text, setText, writeText, revision } = useSearchText(params.get("q") ?? params.get("find") ?? "");
  const segment = params.get(segmentKey) ?? "";
  const sort = params.get("sort");
  const chips = filterKeys.map((key) => params.get(key) ?? "").join("\n");
  const conditions = useMemo<Conditions>(
    () => ({
      text,
      segment,
      values: new Map(
        chips
          .split("\n")
          .map((value, index): [string, string] => [filterKeys[index] ?? "", value])
          .filter(([, value]) => value !== ""),
      ),
    }),
    [text, segment, chips, filterKeys],
  );
  const order = useMemo(() => parseOrder(sort, orderKeys, fallback), [sort, orderKeys, fallback]);
  /** Applies another search, segment or chip. */
  const show = useCallback(
    (next: Conditions) => {
      const changes = Object.fromEntries(filterKeys.map((key) => [key, next.values.get(key) ?? null]));
      writeText(next.text);
      change({ ...changes, q: next.text, find: null, rows: null, [segmentKey]: next.segment });
    },
    [filterKeys, segmentKey, change, writeText],
  );
  const setOrder = useCallback((next: TableOrder) => change({ sort: orderText(next) }), [change]);
  return { conditions, order, setText, show, setOrder, revision };
}

/** The search while typing. The address follows when typing pauses; outside changes (back, a link) win and raise `revision`. */
function useSearchText(fromAddress: string) {
  const { change } = useAddress();
  const [text, setText] = useState(fromAddress);
  const [written, setWritten] = useState(fromAddress);
  const [seen, setSeen] = useState(fromAddress);
  const [revision, setRevision] = useState(0);
  if (seen !== fromAddress) {
    setSeen(fromAddress);
    if (fromAddress !== written) {
      setText(fromAddress);
      setWritten(fromAddress);
      setRevision((count) => count + 1);
    }
  }
  useEffect(() => {
    if (text === written) return;
    const timer = setTimeout(() => {
      setWritten(text);
      change({ q: text, find: null, rows: null });
    }, WRITE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [text, written, change]);
  const writeText = useCallback((next: string) => {
    setText(next);
    setWritten(next);
    setRevision((count) => count + 1);
  }, []);
  return { text, setText, writeText, revision };
}

function useRememberedAddress(names: readonly string[]) {
  const { params, change } = useAddress();
  const { pathname } = useLocation();
  const own = new Map(
    names.flatMap((name): [string, string][] => {
      const value = params.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const restore = useEffectEvent((path: string) => {
    const former = remembered.get(path);
    if (own.size === 0 && former?.size) change(Object.fromEntries(former));
  });
  // Before the first paint, so that no unfiltered rows appear.
  useLayoutEffect(() => restore(pathname), [pathname]);
  useEffect(() => {
    remembered.delete(pathname);
    remembered.set(pathname, own);
    const oldest = remembered.keys().next();
    if (remembered.size > MAX_REMEMBERED && !oldest.done) remembered.delete(oldest.value);
  });
}
