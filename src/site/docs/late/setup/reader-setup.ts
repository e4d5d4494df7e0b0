/** The setup of the reader in this browser: what the address says, then what this visit or the browser remembers. */
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
    // The client says what a refusal means.
    if (refused) return refused;
    throw error;
  }
}

function isSearchBody(body: unknown): body is SearchBody {
  return typeof body === "object" && body !== null && "queries" in body && Array.isArray(body.queries);
}

/**
 * A setup in the address holds for the visit: pages that are opened from here on, in this tab of the browser, follow it,
 * and what is remembered stays as it is, until the reader saves the form above the article.
 */
export function startVisit(root: ParentNode): void {
  const setup = setupOfAddress(location.search);
  if (setup.size > 0) keep("sessionStorage", setup);
  for (const element of root.querySelectorAll<HTMLElement>("[data-chosen]")) {
    element.dataset["group"] = element.dataset["chosen"] ?? "";
    delete element.dataset["chosen"];
  }
  // Where storage is forbidden, the server's choice stays.
  applyTabChoices(root);
  const form = document.querySelector<HTMLFormElement>("[data-setup] form");
  if (form) startForm(form, readerSetup());
}

/** Saving remembers the choice and opens the page for it: its address then is one to share. */
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

/** Remembers a setup, or that there is none; the visit's own ends. */
export function rememberSetup(setup: Setup): void {
  try {
    sessionStorage.removeItem("tabs");
  } catch {
    // Forbidden: there is none.
  }
  keep("localStorage", setup);
}

/** Tabs that are no part of the setup stay chosen. */
function keep(place: "localStorage" | "sessionStorage", setup: Setup): void {
  const parts = new Set<string>(SETUP_PARTS.map(({ id }) => id));
  const others = Object.entries(readChoices(place)).filter(([group]) => !parts.has(group));
  const choices = Object.fromEntries([...others, ...tabsOfSetup(setup)]);
  try {
    if (Object.keys(choices).length > 0) window[place]["tabs"] = JSON.stringify(choices);
    else window[place].removeItem("tabs");
  } catch {
    // Full or forbidden: the address has the setup.
  }
}
