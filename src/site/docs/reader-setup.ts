/** The reader's setup, for code that every page has: what to do with it is fetched only for readers who may have one. */
const load = () => import("./late/setup/reader-setup.ts");

/** Chosen tabs are part of it; see `anywhere/setup/setup.ts`. */
function mayHaveSetup(): boolean {
  try {
    return isInAddress() || Boolean(localStorage["tabs"] || sessionStorage["tabs"]);
  } catch {
    return isInAddress();
  }
}

const isInAddress = () => /[?&]setup=/.test(location.search);

/** Asks the search server, so that what is for the reader comes a little earlier. */
export async function fetchForReader(url: string, init: RequestInit): Promise<Response> {
  // A search without the setup is better than none.
  const setup = mayHaveSetup() ? await load().catch(() => null) : null;
  return setup ? setup.fetchForSetup(url, init) : fetch(url, init);
}

/** `?setup=…` for the address of a page's Markdown, or nothing. */
export async function setupQuery(): Promise<string> {
  return mayHaveSetup() ? (await load()).setupQuery() : "";
}

/** For each page shown. */
export function startSetup(prose: HTMLElement): void {
  if (isInAddress())
    load().then(
      (setup) => setup.startVisit(prose),
      () => {},
    );
}
