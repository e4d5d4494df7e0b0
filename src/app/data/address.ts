import { useCallback } from "react";
import { useHref, useNavigate, useSearchParams } from "react-router";

type Changes = { [name: string]: string | null };

/** The address with some parameters set, and those that are null left out. */
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
 * What one page shows is in its address: a link brings a colleague to the same view.
 *
 * The browser's address may be ahead of what is drawn: a row was opened, or another page is on its way while its code is
 * fetched. What is changed meanwhile (a search that was just typed) is added to the newer address, and dropped if that is
 * another page's: written from the older one it would close the row, or bring the reader back.
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
      // What the entry was opened for stays known: closing it still goes back.
      const { usr: state } = (window.history.state ?? {}) as { usr?: unknown };
      void navigate({ search: next }, { replace: true, preventScrollReset: true, state });
    },
    [here, navigate],
  );
  return { params, change };
}

/** For links to another page: the range goes along, the rest stays behind. */
export function useRangeSearch(): string {
  const [params] = useSearchParams();
  const range = params.get("range");
  return range ? `?range=${encodeURIComponent(range)}` : "";
}
