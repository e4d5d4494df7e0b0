import type { Page } from "./types.ts";

/** Pages below such an address have a section for each error, whose heading is the message itself, as code. */
const TROUBLESHOOTING = /\/troubleshooting(?:\/|$)/;

/** `### \`exec format error\`` → `exec format error`; what a heading says around its code is no part of the message. */
const MESSAGE_HEADING = /^#{2,4} `([^`]+)`/gm;

/** The messages that have a section of their own, in the order of the pages. */
export function knownErrors(pages: readonly Pick<Page, "path" | "markdown">[]): string[] {
  return pages
    .filter(({ path }) => TROUBLESHOOTING.test(path))
    .flatMap(({ markdown }) => [...markdown.matchAll(MESSAGE_HEADING)].map(([, message = ""]) => message));
}
