import { MAX_EVENT_TEXT } from "./limits.ts";

/** One line that every database can store. */
export function cutText(text: string): string {
  const line = text.replaceAll(/\p{Cc}+/gu, " ");
  return (line.length > MAX_EVENT_TEXT ? `${line.slice(0, MAX_EVENT_TEXT - 1)}…` : line).toWellFormed();
}
