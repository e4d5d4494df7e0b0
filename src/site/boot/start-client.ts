/**
 * Starts React from text in the page that no browser runs (`.server/client-text.ts` writes it):
 *
 *   {"manifest":"/assets/manifest-….js","entry":"/assets/entry.client-….js","routes":{"root":"/assets/…",…}}
 *   [{"_1":2},"loaderData",…]                                  the rest: React Router's data of the page
 *
 * An attacker who can write into a page can also write such a text. It is therefore only parsed, and its
 * addresses must be files of the site's own build.
 */
import { CHOICE_KEY } from "#telemetry/browser/choice.ts";

/** Addresses of the files that run a page in the browser. */
export interface ClientFiles {
  manifest: string;
  entry: string;
  /** Route id → its module, for the routes of the page. */
  routes: { [id: string]: string };
}

const OWN_FILE = /^\/assets\/[\w.-]+\.js$/;

/** The page's text; null in development, where React starts immediately, and after the client has started. */
function findText() {
  return document.querySelector<HTMLScriptElement>('body>script[type="text/x-client"]');
}

/** Does the work of React Router's inline module, without running page text. Later calls do nothing. */
export async function startClient() {
  const element = findText();
  if (!element) return;
  element.type = "text/x-loaded";
  const [files = "", ...data] = element.textContent.split("\n");
  const { manifest, entry, routes } = JSON.parse(files) as ClientFiles;
  // The libraries first, as a task of their own: keys pressed meanwhile are painted before the site's own code runs.
  await load(element.dataset.preload);
  const modules = await Promise.all([...Object.values(routes), manifest, entry].map(load));
  window.hydrate?.(data.join("\n"), Object.keys(routes), modules);
}

/** @throws for an address that is not a file of the build, or is missing. */
async function load(address = ""): Promise<unknown> {
  if (!OWN_FILE.test(address)) throw Error(address);
  return import(address);
}

/** Address of `ask.ts`; empty if there is nothing to ask. */
declare const __ASK_URL__: string;

/** Asks readers who have not answered; asks no one if storage is forbidden. */
export function loadQuestion() {
  try {
    if (__ASK_URL__ && !localStorage[CHOICE_KEY]) void import(__ASK_URL__);
  } catch {}
}

export function preloadClient() {
  const href = findText()?.dataset.preload ?? "";
  // For a reader who chose to save data, the client is loaded only when needed.
  const { connection } = navigator as { connection?: { saveData?: boolean } };
  if (!OWN_FILE.test(href) || connection?.saveData) return;
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = href;
  document.head.append(link);
}
