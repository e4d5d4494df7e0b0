/** The reader's choice among their organizations and projects, in this browser. Ids only; a token is never stored. */

const KEY = "docs-own";

export interface OwnChoice {
  /** `org_…` */
  organization?: string;
  /** `prj_…` */
  project?: string;
  /** The samples keep their names. */
  isOff?: boolean;
}

export function readChoice(): OwnChoice {
  try {
    const stored: unknown = JSON.parse(localStorage[KEY] ?? "{}");
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

/** The organization that the application showed last (`src/app/data/choose-organization.ts`). */
export function readViewed(): string | null {
  try {
    return localStorage.getItem("millrace-organization");
  } catch {
    return null;
  }
}

export function keepChoice(choice: OwnChoice): void {
  try {
    localStorage[KEY] = JSON.stringify(choice);
  } catch {
    // Storage is full or forbidden: the choice lasts for the page.
  }
}

/** Another tab has chosen. */
export function watchChoice(listener: () => void, signal: AbortSignal): void {
  addEventListener("storage", ({ key }) => key === KEY && listener(), { signal });
}
