import type { Page } from "../types.ts";

/** Pages with such an address have a section for each error, whose heading is the message itself, as code. */
const TROUBLESHOOTING = /\/troubleshooting(?:\/|$)/;

/** `### \`exec format error\`` → `exec format error`; other words of the heading are not part of the message. */
const MESSAGE_HEADING = /^#{2,4} `([^`]+)`/gm;

/** The messages that have their own section, in the order of the pages. */
export function knownErrors(pages: readonly Pick<Page, "path" | "markdown">[]): string[] {
  return pages
    .filter(({ path }) => TROUBLESHOOTING.test(path))
    .flatMap(({ markdown }) => [...markdown.matchAll(MESSAGE_HEADING)].map(([, message = ""]) => message));
}
