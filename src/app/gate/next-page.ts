/** Where a signed-in person goes on: always a page of this server. */

const HOME = "/app";
const SIGN_IN = "/app/sign-in";
/** Where a way to sign in comes back to, to go on to what is kept. */
const COMES_BACK = `${SIGN_IN}?kept`;
/** Kept in the tab instead of the address, for pages whose address is a secret. */
const KEPT_NEXT = "millrace-next";

/**
 * A path of this origin, or `/app`. Browsers read `\` as `/` and skip tabs and line ends, so what they make of the
 * text is compared, not the text.
 */
export function safeNext(next: string | null | undefined, origin: string): string {
  if (!next?.startsWith("/")) return HOME;
  try {
    const url = new URL(next, origin);
    const path = url.pathname + url.search + url.hash;
    // `//host` can come about by parsing: `/.//host`.
    return url.origin === origin && !path.startsWith("//") ? path : HOME;
  } catch {
    return HOME;
  }
}

/** What the address asks for, else what this tab has kept, else nothing. */
export const wantedNext = (): string | null => addressedNext() ?? readKept();

function addressedNext(): string | null {
  const next = new URLSearchParams(location.search).get("next");
  return next === COMES_BACK ? null : next;
}

/** For a way to sign in that has it in an address: in place of what is kept, the page that knows it. */
export const nextForAddress = (): string | null =>
  addressedNext() ?? (readKept() === null ? null : COMES_BACK);

/** What only this tab knows, where a way to sign in has just come back; else null. */
export const keptNext = (): string | null =>
  location.pathname + location.search === COMES_BACK ? readKept() : null;

export function keepNext(path: string): void {
  try {
    sessionStorage[KEPT_NEXT] = path;
  } catch {}
}

function readKept(): string | null {
  try {
    return sessionStorage.getItem(KEPT_NEXT);
  } catch {
    return null;
  }
}

/** Leaves a page for good: its address, which may hold a key, does not stay in the history. */
export function goOn(next: string | null | undefined): void {
  try {
    sessionStorage.removeItem(KEPT_NEXT);
  } catch {}
  location.replace(safeNext(next, location.origin));
}

const SECOND_STEP = "/app/second-step";

/**
 * After a way to sign in: to the second step where the server asks for one, else to what is wanted.
 * @param next the server's answer
 */
export function goOnSignedIn(next: string): void {
  const isHalf = new URL(next, location.origin).pathname === SECOND_STEP;
  const addressed = addressedNext();
  if (!isHalf) goOn(wantedNext() ?? next);
  else if (addressed !== null) goOn(`${SECOND_STEP}?next=${encodeURIComponent(addressed)}`);
  // It stays kept, and out of the address.
  else if (readKept() !== null) location.replace(SECOND_STEP);
  else goOn(next);
}

/** To begin again, with the same page behind it. What is kept stays kept. */
export function signInAgainAddress(): string {
  const next = addressedNext();
  return next === null ? SIGN_IN : signInAddress(safeNext(next, location.origin));
}

/** @param path where to come back to */
export const signInAddress = (path: string) => `${SIGN_IN}?next=${encodeURIComponent(path)}`;
