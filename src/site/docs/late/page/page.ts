import { startChanges } from "../changes/changes.ts";
import { areVisitsOff } from "../changes/visits.ts";
import { applyWrap } from "../wrap/wrap.ts";
import { isWrapRemembered } from "../wrap/wrap-choice.ts";

/** Starts a page for a returning reader. @param readAt when it counts as read, in ms. @returns a function that stops this. */
export function startPage(path: string, readAt: number): () => void {
  if (isWrapRemembered()) applyWrap();
  return areVisitsOff() ? () => {} : startChanges(path, readAt);
}
