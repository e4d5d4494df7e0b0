/** A redirect from an address without a page, checked the way `npm test` checks the redirects file. */
import { checkRedirects, type RedirectTarget } from "#docs/content/checks/check-redirects.ts";
import { loadLedger } from "#docs/content/checks/anchor-ledger.ts";
import { fileOfPath } from "#docs/content/page/page-file.ts";
import { loadRedirects, REDIRECTS_FILE } from "#docs/content/navigation/redirects.ts";
import { EditError } from "./edit-error.ts";
import { addRedirect } from "./edit-files.ts";

type Read = (file: string) => Promise<string>;

/** @throws EditError for a redirect that no one could follow, or that would lose a published anchor */
export async function planMove({ from, to }: { from: string; to: string }, read: Read, root: string) {
  const before = await read(REDIRECTS_FILE);
  const known = loadRedirects(root);
  const [broken] = known.problems;
  if (broken) throw new EditError(`${REDIRECTS_FILE} already has an error: ${broken.message}`);
  const ledger = loadLedger(root);
  const addresses = [...new Set([...Object.keys(ledger), from.toLowerCase()])];
  const pages = (await Promise.all(addresses.map((path) => findPage(path, ledger[path] ?? [], read)))).filter(
    (page) => page !== null,
  );
  const line = Number.MAX_SAFE_INTEGER;
  const [problem] = checkRedirects([...known.redirects, { from, to, line }], pages, ledger).filter(
    (each) => each.line === line,
  );
  if (problem) throw new EditError(`${problem.message} ${problem.fix ?? ""}`.trim());
  return { file: REDIRECTS_FILE, before, after: addRedirect(before, { from, to }) };
}

/** The ledger's anchors of a page: its current and its renamed ones. Null for a page that is gone. */
async function findPage(
  path: string,
  anchors: readonly string[],
  read: Read,
): Promise<RedirectTarget | null> {
  if (!/^\/docs(?:\/[a-z0-9-]+)*$/.test(path)) return null;
  const file = fileOfPath(path);
  return read(file).then(
    () => ({ path, file, anchors: [...anchors], renamed: {} }),
    () => null,
  );
}
