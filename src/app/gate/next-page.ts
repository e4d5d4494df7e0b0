/** The next page of a signed-in person: always a page of this server. */

const HOME = "/app";
const SIGN_IN = "/app/sign-in";
/** The return address of a sign-in that continues to the kept page. */
const COMES_BACK = `${SIGN_IN}?kept`;
/** Kept in the tab instead of the address, for pages whose address is a secret. */
const KEPT_NEXT = "millrace-next";

/**
 * A path of this origin, or `/app`. Browsers read `\` as `/` and skip tabs and line ends, so the parsed address is compared, not the text.
 */
export function safeNext(next: string | null | undefined, origin: string): string {
  if (!next?.startsWith("/")) return HOME;
  try {
    const url = new URL(next, origin);
    const path = url.pathname + url.search + url.hash;
    // Parsing can produce `//host`: `/.//host`.
    return url.origin === origin && !path.startsWith("//") ? path : HOME;
  } catch {
    return HOME;
  }
}

/** The page that the address names, else the page kept in this tab, else nothing. */
export const wantedNext = (): string | null => addressedNext() ?? readKept();

function addressedNext(): string | null {
  const next = new URLSearchParams(location.search).get("next");
  return next === COMES_BACK ? null : next;
}

/** For ways to sign in that need an address: instead of the kept page, the page that knows it. */
export const nextForAddress = (): string | null =>
  addressedNext() ?? (readKept() === null ? null : COMES_BACK);

/** The page kept in this tab, right after a sign-in has come back; else null. */
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

/** Leaves a page permanently: its address, which may contain a key, does not stay in the history. */
export function goOn(next: string | null | undefined): void {
  try {
    sessionStorage.removeItem(KEPT_NEXT);
  } catch {}
  location.replace(safeNext(next, location.origin));
}

const SECOND_STEP = "/app/second-step";

/**
 * After a sign-in: to the second step when the server requires one, else to the wanted page.
 * @param next the server's answer
 */
export function goOnSignedIn(next: string): void {
  const isHalf = new URL(next, location.origin).pathname === SECOND_STEP;
  const addressed = addressedNext();
  if (!isHalf) goOn(wantedNext() ?? next);
  else if (addressed !== null) goOn(`${SECOND_STEP}?next=${encodeURIComponent(addressed)}`);
  // It stays in the tab, and out of the address.
  else if (readKept() !== null) location.replace(SECOND_STEP);
  else goOn(next);
}

/** Starts the sign-in again, for the same next page. The kept page stays kept. */
export function signInAgainAddress(): string {
  const next = addressedNext();
  return next === null ? SIGN_IN : signInAddress(safeNext(next, location.origin));
}

/** @param path to return to */
export const signInAddress = (path: string) => `${SIGN_IN}?next=${encodeURIComponent(path)}`;
