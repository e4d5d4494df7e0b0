/** The exports of a feature's file. */
export interface LateModule {
  /** The feature's own style sheet: `export { default as styles } from "./x.css?inline"`. */
  styles?: string;
  /** @param event may be seconds old: the feature has to check where the pointer or the focus is now. */
  start(element: HTMLElement, event: Event): void;
}

export interface LateFeature {
  /** The name for readers, at the beginning of a sentence: "The list of shortcuts". */
  label: string;
  load(): Promise<LateModule>;
  /** A single-key shortcut, as in `KeyboardEvent.key`; also add it to `KEYS` of `start-late.ts`. */
  key?: string;
}

/**
 * `data-late` or `data-hover` → its feature; each has its own folder below this one, and its own file in the
 * build.
 */
export const lateFeatures: Readonly<Record<string, LateFeature>> = {
  setup: { label: "My setup", load: () => import("./setup/dialog.ts") },
  menu: { label: "The menu", load: () => import("./page-menu/page-menu.ts") },
  shortcuts: {
    label: "The list of shortcuts",
    load: () => import("./shortcuts/shortcuts.ts"),
    key: "?",
  },
  term: { label: "The definition", load: () => import("./term/term.ts") },
  wrap: { label: "Wrapping lines", load: () => import("./wrap/wrap.ts") },
  zoom: { label: "The enlarged image", load: () => import("./zoom/zoom.ts") },
};
