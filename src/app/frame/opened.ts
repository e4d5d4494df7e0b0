import { forgetTyped } from "./typed-ahead.ts";

/** Overlays of the frame without an address: the command menu, the list of keys. Only one at a time. */
export type Opened = "command" | "keys" | null;

let opened: Opened = null;
const listeners = new Set<() => void>();

function change(next: Opened) {
  opened = next;
  forgetTyped();
  for (const listener of listeners) listener();
}

export const readOpened = () => opened;
export const openCommandMenu = () => change("command");
export const openKeys = () => change("keys");
export const closeOpened = () => change(null);

export function watchOpened(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
