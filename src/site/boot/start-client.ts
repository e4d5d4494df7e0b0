/**
 * Starts React from what the page carries as text that no browser runs (`.server/client-text.ts` writes it):
 *
 *   {"manifest":"/assets/manifest-….js","entry":"/assets/entry.client-….js","routes":{"root":"/assets/root-….js",…}}
 *   [{"_1":2},"loaderData",…]                                           the rest: React Router's data of the page
 *
 * Whoever could write into a page could write such a text too. So it is only ever parsed, and the addresses in it may
 * name nothing but files of the site's own build.
 */
import { CHOICE_KEY } from "#telemetry/browser/choice.ts";

/** Addresses of the files that run a page in the browser. */
export interface ClientFiles {
  manifest: string;
  entry: string;
  /** Route id → its module, for the routes of the page. */
  routes: { [id: string]: string };
}

const ownFile = /^\/assets\/[\w.-]+\.js$/;

/** The page's text; null in development, where React starts at once, and once the client has started. */
function findText() {
  return document.querySelector<HTMLScriptElement>('body>script[type="text/x-client"]');
}

/** What React Router's own inline module would do, but that one would be a text of the page that is run. Does nothing the second time. */
export async function startClient() {
  const element = findText();
  if (!element) return;
  element.type = "text/x-loaded";
  const [files = "", ...data] = element.textContent.split("\n");
  const { manifest, entry, routes } = JSON.parse(files) as ClientFiles;
  const modules = await Promise.all([...Object.values(routes), manifest, entry].map(load));
  window.hydrate?.(data.join("\n"), Object.keys(routes), modules);
}

/** @throws for an address that is not a file of the build. */
async function load(address: string): Promise<unknown> {
  if (!ownFile.test(address)) throw Error(address);
  return import(address);
}

/** Address of `ask.ts`; empty where nothing is asked. */
declare const __ASK_URL__: string;

/** A reader who has not answered is asked. Where storage is forbidden nobody is. */
export function loadQuestion() {
  try {
    if (__ASK_URL__ && !localStorage[CHOICE_KEY]) void import(__ASK_URL__);
  } catch {}
}

export function preloadClient() {
  const href = findText()?.dataset.preload ?? "";
  // A reader who asked to save data loads the client only when it is needed.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!ownFile.test(href) || connection?.saveData) return;
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = href;
  document.head.append(link);
}
