/**
 * What the commands of a page need before they run, and which of them no test can run, with the reason. A page that has
 * no plan runs as it is.
 */

/** In what a page shows: a text, and what stands in its place here. `…` stands for anything. */
export type Change = readonly [text: string | RegExp, here: string];

export interface PagePlan {
  /** Ids of projects beside `web`, by their names. */
  projects?: { [name: string]: string };
  /** The tool that the page is about. @returns its folder of programs, "" for the machine's own; null: the page is left out */
  tool?: () => Promise<string | null>;
  /** Files that the page shows, by their titles, with what differs; written into `~/shop` unless they begin with `~`. */
  pageFiles?: { [title: string]: readonly Change[] };
  /** Further files of `~/shop`. */
  files?: { [path: string]: string };
  env?: { [name: string]: string };
  /** Run before the first command: in `~/shop` if there is one, otherwise in the page's own home. */
  before?: string;
  /** Run after the last command. */
  after?: string;
  /** By the beginning of a command: what differs from running it as it stands. */
  steps?: readonly StepPlan[];
  /** By the page's headings that are messages: every one of them. */
  troubles?: { [heading: string]: Trouble };
}

/** A message that a page explains. */
export type Trouble =
  | {
      /** Run after the steps; prints the heading's words, in their order, on one line. */
      run: string;
      /** Default 1. */
      exitCode?: number;
      /** In place of the heading's words. */
      says?: string;
    }
  | { isLeftOut: string };

export interface StepPlan {
  starts: string;
  /** Why it is not run. */
  isLeftOut?: string;
  /** Run just before it. */
  before?: string;
  /** Default 0. */
  exitCode?: number;
  /** Run in its place, where the command names what only its author has. */
  as?: string;
  /** In the command, where a name of the reader's own is enough. */
  names?: readonly Change[];
  /** In place of what the page shows, where that needs a person. */
  prints?: readonly string[];
  /** In what the page shows, where it depends on the machine or on the version of the tool. */
  differs?: readonly Change[];
}

/** Of a build whose steps ask the cache. */
export const ASKS_CACHE: StepPlan = {
  starts: "millrace build",
  isLeftOut: "its steps reach the cache only at an origin that is not loopback, and this test's is",
};

/** As after `millrace login`. */
export const LOG_IN = `mkdir -p -m 700 ~/.config/millrace && (umask 077 && printf '{"current":"%s","servers":{"%s":{"token":"%s","organization":"acme"}}}' "$ORIGIN" "$ORIGIN" "$USER_TOKEN" > ~/.config/millrace/credentials.json)`;
/** @throws Error when there is nothing to change, so that no change outlives its text */
export function applyChanges(text: string, changes: readonly Change[] = []): string {
  return changes.reduce((changed, [from, to]) => {
    const result = changed.replaceAll(typeof from === "string" ? from : new RegExp(from, "gm"), to);
    if (result === changed) throw new Error(`The page no longer has ${from}:\n${changed}`);
    return result;
  }, text);
}
