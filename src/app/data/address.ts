import { useCallback } from "react";
import { useHref, useNavigate, useSearchParams } from "react-router";

type Changes = { [name: string]: string | null };

/** The address with some parameters set and the null ones removed. */
export function withParams(params: URLSearchParams, changes: Changes): string {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text ? `?${text}` : "";
}

/**
 * A page's view is in its address: a link brings a colleague to the same view.
 *
 * The browser's address may be ahead of the drawn page: a row was opened, or another page's code is still being fetched. A
 * change in between (a search that was just typed) is added to the newer address, and dropped if that belongs to another
 * page: based on the older address it would close the row, or bring the reader back.
 */
export function useAddress() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const here = useHref({});
  /** Small steps (sort, filter) replace the entry: "back" leaves the page. */
  const change = useCallback(
    (changes: Changes) => {
      const { pathname, search } = window.location;
      if (new URL(here, window.location.origin).pathname !== pathname) return;
      const next = withParams(new URLSearchParams(search), changes);
      // The entry keeps what it was opened for: closing it still goes back.
      const { usr: state } = (window.history.state ?? {}) as { usr?: unknown };
      void navigate({ search: next }, { replace: true, preventScrollReset: true, state });
    },
    [here, navigate],
  );
  return { params, change };
}

/** For links to another page: they keep the range and drop the rest. */
export function useRangeSearch(): string {
  const [params] = useSearchParams();
  const range = params.get("range");
  return range ? `?range=${encodeURIComponent(range)}` : "";
}
