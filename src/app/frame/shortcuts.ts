/** Every key of the application, in one table: the listener uses it, and `?` shows it. */
import type { PageAction } from "../page/page.tsx";
import { DOCUMENTATION, PLACES, PLACES_BELOW, type Place } from "../page/places.ts";
import { CTRL_K } from "../ui/keys/ctrl-key.ts";

/** The meaning of a key press. */
export type Act =
  | { kind: "command-menu" | "search" | "copy-link" | "keys" }
  /** The next key names the place. */
  | { kind: "places" }
  | { kind: "place"; place: Place }
  | { kind: "action"; action: PageAction };

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

export interface KeyContext {
  actions: readonly PageAction[];
  places: readonly Place[];
  /** Inside a field, a dialog or a menu, which has its own keys. */
  isTaken: boolean;
  /** `G` has just been pressed. */
  isAfterG: boolean;
  isOff: boolean;
}

/** The frame's own actions. */
const OWN: { [key: string]: Act["kind"] & ("search" | "copy-link" | "keys" | "places") } = {
  "/": "search",
  y: "copy-link",
  "?": "keys",
  g: "places",
};

/** @returns null when the key is not one of the frame's */
export function actOf(press: KeyPress, context: KeyContext): Act | null {
  const key = press.key.toLowerCase();
  if (key === "k" && (press.ctrlKey || press.metaKey) && !press.altKey) return { kind: "command-menu" };
  if (press.ctrlKey || press.metaKey || press.altKey || context.isTaken || context.isOff) return null;
  if (context.isAfterG) {
    const place = context.places.find(({ letter }) => letter.toLowerCase() === key);
    return place ? { kind: "place", place } : null;
  }
  const action = context.actions.find(({ shortcut }) => shortcut?.toLowerCase() === key);
  if (action) return { kind: "action", action };
  const own = Object.hasOwn(OWN, key) ? OWN[key] : undefined;
  return own ? { kind: own } : null;
}

/** The places that a person may go to. */
export function placesFor(isOperator: boolean, hasOrganization: boolean): Place[] {
  return [...(hasOrganization ? [...PLACES, ...PLACES_BELOW] : []), ...(isOperator ? [DOCUMENTATION] : [])];
}

export interface KeyGroup {
  title: string;
  rows: { keys: readonly string[]; label: string }[];
}

interface Shown {
  actions: readonly PageAction[];
  places: readonly Place[];
  hasSearch: boolean;
  hasTable: boolean;
}

/** The keys that work on the current page. */
export function keyGroups({ actions, places, hasSearch, hasTable }: Shown): KeyGroup[] {
  const own = actions.flatMap(({ shortcut, label }) => (shortcut ? [{ keys: [shortcut], label }] : []));
  const groups: KeyGroup[] = [
    { title: "This page", rows: own },
    {
      title: "Everywhere",
      rows: [
        { keys: [CTRL_K], label: "Search or run" },
        ...(hasSearch ? [{ keys: ["/"], label: "Search this page" }] : []),
        { keys: ["Y"], label: "Copy the link to this page" },
        { keys: ["?"], label: "These keys" },
        { keys: ["Esc"], label: "Close one thing" },
      ],
    },
    { title: "Go to", rows: places.map(({ letter, label }) => ({ keys: ["G", letter], label })) },
    { title: "Table", rows: hasTable ? TABLE : [] },
  ];
  return groups.filter(({ rows }) => rows.length > 0);
}

/** The table's own listener handles these. */
const TABLE: KeyGroup["rows"] = [
  { keys: ["J", "↓"], label: "Next row" },
  { keys: ["K", "↑"], label: "Previous row" },
  { keys: ["Enter"], label: "Open" },
  { keys: ["Space"], label: "Show at the side" },
];
