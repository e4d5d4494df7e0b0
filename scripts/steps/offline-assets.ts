import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PackedFile } from "#offline/index.ts";
import { typeOf } from "#platform/http/static-files.ts";

/** Files that ask or report to the server, which is unreachable offline, and files that only marketing pages show. */
const LEFT_OUT =
  /^(?:answer|error-reports|insights|own|posthog|recorder|site-frame|marks|sheet-(?:product|site))-/;
/** Names every route of the site; most are not in the copy. */
const NAMES_ALL = /^manifest-/;
/** How built files refer to each other: by a name with a hash. */
const NAME = /[\w.-]+-[\w-]{8}\.(?:js|css|svg|woff2|png|webp)\b/g;
const ICON = /^[\w-]+\.(?:svg|png|ico)$/;

/**
 * The files that the pages name, the files that those name, and so on; and the site's icons. Includes files loaded on a reader's
 * click.
 * @param client the built site's folder for browsers
 */
export async function findAssets(client: string, documents: readonly PackedFile[]): Promise<PackedFile[]> {
  const known = new Set(await readdir(join(client, "assets")));
  const wanted = new Set<string>();
  const want = (text: string) => {
    for (const [name] of text.matchAll(NAME)) if (known.has(name) && !LEFT_OUT.test(name)) wanted.add(name);
  };
  for (const { type, body } of documents)
    if (type.startsWith("text/html")) want(Buffer.from(body).toString());
  const found: PackedFile[] = [];
  const take = async (path: string) => {
    const body = await readFile(join(client, path));
    found.push({ path: `/${path}`, type: typeOf(path), body });
    return body;
  };
  // Grows during the loop.
  for (const name of wanted) {
    const body = await take(`assets/${name}`);
    if (/\.(?:js|css)$/.test(name) && !NAMES_ALL.test(name)) want(body.toString());
  }
  for (const name of await readdir(client))
    if (ICON.test(name) && !/^(?:og-|icon-512)/.test(name)) await take(name);
  return found;
}
