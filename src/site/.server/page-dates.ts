import type { EditionFrame, PageSummary, SitePage } from "../site-source.ts";

/** The lines at the end of a page that say when it changed and when its commands ran, in its language; each only if that is known. */
export function pageDates(
  { updated, ran }: Pick<SitePage, "updated" | "ran">,
  edition: EditionFrame | undefined,
): Pick<PageSummary, "updated" | "ran"> {
  const say = (english: string) => edition?.words[english] ?? english;
  const day = (date: string) => formatDate(date, edition?.language);
  return {
    ...(updated && { updated: `${say("Last updated")} ${day(updated)}` }),
    ...(ran && { ran: `${say("Commands ran on")} ${ran.commit}, ${day(ran.date)}` }),
  };
}

/** `2026-11-14` → "14 November 2026", the same on every machine. */
function formatDate(date: string, language = "en-GB"): string {
  return new Date(date).toLocaleDateString(language, {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}
