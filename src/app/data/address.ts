import { useCallback } from "react";
import { useSearchParams } from "react-router";

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

/** What one page of the console shows is in its address: a link brings a colleague to the same view. */
export function useAddress() {
  const [params, setParams] = useSearchParams();
  /** Small steps (sort, filter) replace the entry: "back" leaves the page. */
  const change = useCallback(
    (changes: Changes) =>
      setParams((now) => new URLSearchParams(withParams(now, changes)), {
        replace: true,
        preventScrollReset: true,
      }),
    [setParams],
  );
  return { params, change };
}

/** For links to another page: the range goes along, the rest stays behind. */
export function useRangeSearch(): string {
  const [params] = useSearchParams();
  const range = params.get("range");
  return range ? `?range=${encodeURIComponent(range)}` : "";
}
