/** The reader's setup in this browser: from the address, then from this visit or the browser's storage. */
import type { SearchAnswers, SearchBody } from "../../search/protocol.ts";
import { allChoices, applyTabChoices, readChoices } from "../../behaviors/tab-choice.ts";
import { searchForSetup } from "../../anywhere/setup/search-for-setup.ts";
import {
  parseSetup,
  type Setup,
  setupOfAddress,
  setupOfTabs,
  setupQueryOf,
  tabsOfSetup,
} from "../../anywhere/setup/setup.ts";
import { SETUP_PARTS } from "../../anywhere/setup/choices.ts";

export function readerSetup(): Setup {
  const ofAddress = tabsOfSetup(setupOfAddress(location.search));
  return setupOfTabs({ ...allChoices(), ...Object.fromEntries(ofAddress) });
}

/** For the address of a page's Markdown. */
export const setupQuery = (): string => setupQueryOf(readerSetup());

/** Like `fetch`, for the bodies of searches. */
export async function fetchForSetup(url: string, init: RequestInit): Promise<Response> {
  const body: unknown = JSON.parse(String(init.body));
  const setup = readerSetup();
  if (setup.size === 0 || !isSearchBody(body)) return fetch(url, init);
  let refused: Response | undefined;
  const send = async (queries: SearchBody): Promise<SearchAnswers> => {
    const response = await fetch(url, { ...init, body: JSON.stringify(queries) });
    if (response.ok) return response.json();
    refused = response;
    throw new Error("refused");
  };
  try {
    return Response.json(await searchForSetup(send, body, setup));
  } catch (error) {
    // The client explains the refusal.
    if (refused) return refused;
    throw error;
  }
}

function isSearchBody(body: unknown): body is SearchBody {
  return typeof body === "object" && body !== null && "queries" in body && Array.isArray(body.queries);
}

/**
 * A setup in the address applies to the visit: pages that are opened from here in this browser tab follow it,
 * and the remembered setup does not change until the reader saves the form above the article.
 */
export function startVisit(root: ParentNode): void {
  const setup = setupOfAddress(location.search);
  if (setup.size > 0) keep("sessionStorage", setup);
  for (const element of root.querySelectorAll<HTMLElement>("[data-chosen]")) {
    element.dataset["group"] = element.dataset["chosen"] ?? "";
    delete element.dataset["chosen"];
  }
  // If storage is forbidden, the server's choice stays.
  applyTabChoices(root);
  const form = document.querySelector<HTMLFormElement>("[data-setup] form");
  if (form) startForm(form, readerSetup());
}

/** Saving stores the choice and opens the page for it, whose address can be shared. */
export function startForm(form: HTMLFormElement, setup: Setup): void {
  form.querySelectorAll("select").forEach((select, at) => {
    select.value = setup.get(SETUP_PARTS[at]?.id ?? "") ?? "";
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const chosen = setupOfForm(form);
    rememberSetup(chosen);
    location.assign(location.pathname + setupQueryOf(chosen));
  });
}

export function setupOfForm(form: HTMLFormElement): Setup {
  return parseSetup([...form.querySelectorAll("select")].map(({ value }) => value).join(","));
}

/** Stores a setup, or that there is none, and ends the visit's own setup. */
export function rememberSetup(setup: Setup): void {
  try {
    sessionStorage.removeItem("tabs");
  } catch {
    // Storage is forbidden, so there is no visit's setup.
  }
  keep("localStorage", setup);
}

/** Tabs outside the setup stay chosen. */
function keep(place: "localStorage" | "sessionStorage", setup: Setup): void {
  const parts = new Set<string>(SETUP_PARTS.map(({ id }) => id));
  const others = Object.entries(readChoices(place)).filter(([group]) => !parts.has(group));
  const choices = Object.fromEntries([...others, ...tabsOfSetup(setup)]);
  try {
    if (Object.keys(choices).length > 0) window[place]["tabs"] = JSON.stringify(choices);
    else window[place].removeItem("tabs");
  } catch {
    // Storage is full or forbidden: the address has the setup.
  }
}
