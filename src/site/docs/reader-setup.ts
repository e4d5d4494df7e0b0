/** The reader's setup, for code of every page: the rest of the code is fetched only for readers who may have a setup. */
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

/** Asks the search server; records for the reader's setup rank a little higher. */
export async function fetchForReader(url: string, init: RequestInit): Promise<Response> {
  // A search without the setup is better than no search.
  const setup = mayHaveSetup() ? await load().catch(() => null) : null;
  return setup ? setup.fetchForSetup(url, init) : fetch(url, init);
}

/** `?setup=…` for the address of a page's Markdown, or nothing. */
export async function setupQuery(): Promise<string> {
  return mayHaveSetup() ? (await load()).setupQuery() : "";
}

/** Called for each shown page. */
export function startSetup(prose: HTMLElement): void {
  if (isInAddress())
    load().then(
      (setup) => setup.startVisit(prose),
      () => {},
    );
}
