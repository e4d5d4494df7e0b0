/**
 * Preparations for the commands of a page, and changes in them. A page without a plan runs unchanged. `content/blocks/`
 * counts a block with a change as adapted, and declares blocks that no test can run.
 */

/** A text on a page, and its replacement here. `…` stands for anything. */
export type Change = readonly [text: string | RegExp, here: string];

export interface PagePlan {
  /** Ids of projects in addition to `web`, by name. */
  projects?: { [name: string]: string };
  /** The tool that the page is about. @returns its folder of programs, "" for the machine's own; null: the page is left out */
  tool?: () => Promise<string | null>;
  /** Files on the page, by title, with changes; written into `~/shop` unless they begin with `~`. */
  pageFiles?: { [title: string]: readonly Change[] };
  /** Further files of `~/shop`. */
  files?: { [path: string]: string };
  env?: { [name: string]: string };
  /** Run before the first command: in `~/shop` if there is one, otherwise in the page's own home. */
  before?: string;
  /** Succeeds after the last command if the page's files and commands did what it says. */
  proof?: string;
  /** Run at the end, also after a failure. */
  after?: string;
  /** By the beginning of a command: differences from running it unchanged. */
  steps?: readonly StepPlan[];
  /** By the page's headings that are messages, each of which needs an entry. */
  troubles?: { [heading: string]: Trouble };
}

/** A message that a page explains. */
export type Trouble =
  | {
      /** Run after the steps; prints the heading's words, in their order, on one line. */
      run: string;
      /** Default 1. */
      exitCode?: number;
      /** Replaces the heading's words. */
      says?: string;
    }
  | { isLeftOut: string };

export interface StepPlan {
  starts: string;
  /** Why it is not run, in a block of which other commands are. */
  isLeftOut?: string;
  /** Run just before it. */
  before?: string;
  /** Default 0. */
  exitCode?: number;
  /** Runs instead of it, where the command names something that only its author has. */
  as?: string;
  /** Changes in the command, where a name of the reader's own is enough. */
  names?: readonly Change[];
  /** Replaces the output on the page, where that needs a person. */
  prints?: readonly string[];
  /** Changes in the output on the page, where it depends on the machine or on the version of the tool. */
  differs?: readonly Change[];
}

/** The state after `millrace login`. */
export const LOG_IN = `mkdir -p -m 700 ~/.config/millrace && (umask 077 && printf '{"current":"%s","servers":{"%s":{"token":"%s","organization":"acme"}}}' "$ORIGIN" "$ORIGIN" "$USER_TOKEN" > ~/.config/millrace/credentials.json)`;
/** @throws Error when there is nothing to change, so that no change outlives its text */
export function applyChanges(text: string, changes: readonly Change[] = []): string {
  return changes.reduce((changed, [from, to]) => {
    const result = changed.replaceAll(typeof from === "string" ? from : new RegExp(from, "gm"), to);
    if (result === changed) throw new Error(`The page no longer has ${from}:\n${changed}`);
    return result;
  }, text);
}
