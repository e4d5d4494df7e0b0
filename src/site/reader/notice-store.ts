import type { ReactNode } from "react";
import { announce } from "#ui/announce.ts";

/** The notices that the page shows: consent, a survey, changes. Newest last. */
export interface Notice {
  /** A second notice with the same id replaces the first. */
  id: string;
  title: string;
  text?: string;
  /** The controls below the text. */
  body?: ReactNode;
  /** Called when the reader closes it; without it the notice has no close button. */
  onDismiss?: () => void;
}

let notices: readonly Notice[] = [];
const listeners = new Set<() => void>();

export function showNotice(notice: Notice): void {
  announce(notice.title);
  set([...notices.filter(({ id }) => id !== notice.id), notice]);
}

export function hideNotice(id: string): void {
  if (notices.some((notice) => notice.id === id)) set(notices.filter((notice) => notice.id !== id));
}

export const currentNotices = (): readonly Notice[] => notices;

export function subscribeNotices(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function set(next: readonly Notice[]) {
  notices = next;
  for (const listener of listeners) listener();
}
