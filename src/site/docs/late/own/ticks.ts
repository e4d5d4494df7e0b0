/** Ticks the steps of the quickstart that the reader has done, from the server's records. */
import { make } from "../parts/make.ts";
import { ask, callApi } from "./ask.ts";

export const QUICKSTART_PAGE = "/docs/container-builds/quickstart";

type Deed = "login" | "project" | "build" | "hit";

/** The anchor of a step of the page → what proves it. A login in a terminal proves that the CLI is installed. */
const PROOFS: Readonly<Record<string, Deed>> = {
  "install-the-cli": "login",
  "log-in": "login",
  "connect-the-directory-to-a-project": "project",
  build: "build",
  "build-again-the-proof": "hit",
};

interface Where {
  /** Its name. */
  organization: string;
  signal: AbortSignal;
}

/** @throws AskError */
export async function askDeeds({ organization, signal }: Where): Promise<ReadonlySet<Deed>> {
  const [{ steps }, { builds = [] }] = await Promise.all([
    ask<{ steps: Partial<Record<Deed, object | null>> }>(
      `/app/${encodeURIComponent(organization)}/first-run`,
      { signal },
    ),
    callApi<{ builds?: { steps_cached?: number }[] }>(
      "BuildService/ListBuilds",
      { page_size: 100, states: ["succeeded"] },
      { organization, signal },
    ),
  ]);
  const deeds = new Set<Deed>();
  for (const deed of ["login", "project", "build"] as const) if (steps[deed]) deeds.add(deed);
  if (builds.some(({ steps_cached = 0 }) => steps_cached > 0)) deeds.add("hit");
  return deeds;
}

/** @returns how many steps are ticked */
export function tickSteps(prose: HTMLElement, deeds: ReadonlySet<Deed>): number {
  clearTicks(prose);
  let count = 0;
  for (const [anchor, deed] of Object.entries(PROOFS)) {
    const title = deeds.has(deed) ? prose.querySelector(`#${anchor}`) : null;
    if (!title) continue;
    title.append(make("span", { className: "own-tick" }, "Done"));
    count += 1;
  }
  return count;
}

export function clearTicks(prose: HTMLElement): void {
  for (const tick of prose.querySelectorAll(".own-tick")) tick.remove();
}
