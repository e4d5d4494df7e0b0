/** What the file of a feature exports. */
export interface LateModule {
  /** The feature's own style sheet: `export { default as styles } from "./x.css?inline"`. */
  styles?: string;
  /** @param event may be seconds old: where the pointer or the focus is by now, the feature has to look. */
  start(element: HTMLElement, event: Event): void;
}

export interface LateFeature {
  /** As the reader would say it, at the beginning of a sentence: "The list of shortcuts". */
  label: string;
  load(): Promise<LateModule>;
  /** A single-key shortcut, as in `KeyboardEvent.key`; also to be added to `KEYS` of `start-late.ts`. */
  key?: string;
}

/**
 * `data-late` or `data-hover` → what it stands for; each in a folder of its own below this one, and in a file of its own for
 * readers.
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
