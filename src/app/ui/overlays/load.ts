/** Overlays are fetched on first use, or when the pointer or the focus comes near. */

export const loadDialog = () => import("./base-dialog.tsx");
export const loadMenu = () => import("./base-menu.tsx");
export const loadSearchMenu = () => import("./search-menu.tsx");

/** Fetches ahead; opening the overlay reports a failure. */
export function fetchAhead(load: () => Promise<unknown>): void {
  load().catch(() => {});
}
