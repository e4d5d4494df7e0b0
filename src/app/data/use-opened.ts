import { useCallback } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { withParams } from "./address.ts";

/**
 * Something that a press opens and "back" closes: a dialog, or the row with its details at the side. Its value is a
 * parameter of the address, so that it can be shared.
 */
export function useOpened(name: string) {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const value = params.get(name);
  const open = useCallback(
    (next: string, others: { [name: string]: string | null } = {}) =>
      void navigate(
        pathname + withParams(new URLSearchParams(window.location.search), { ...others, [name]: next }),
        {
          state: { opened: name },
          preventScrollReset: true,
        },
      ),
    [name, navigate, pathname],
  );
  const close = useCallback(() => {
    // An entry that was made here is left by going back; an entry from a link is replaced.
    if (readState()?.opened === name) return void (mayGoBack() && navigate(-1));
    const search = withParams(new URLSearchParams(window.location.search), { [name]: null });
    void navigate(pathname + search, { replace: true, preventScrollReset: true });
  }, [name, navigate, pathname]);
  return { value, open, close };
}

/** The entry that is being left. The browser takes a moment, and a second Esc would also leave the page below. */
let leftKey: unknown;

function mayGoBack(): boolean {
  const { key } = window.history.state as { key?: unknown };
  if (leftKey !== undefined && leftKey === key) return false;
  leftKey = key;
  // After going forward to the entry again, the reader may leave it again.
  addEventListener("popstate", () => (leftKey = undefined), { once: true });
  return true;
}

/** State of the current history entry; React Router keeps it under `usr`. */
const readState = () => (window.history.state as { usr?: { opened?: unknown } | null } | null)?.usr;
