/** The sprite's address, `/assets/icons-<hash>.svg`; set by `vite.config.ts`. */
declare const __SPRITE_URL__: string;

/** The address of the marketing pages' brand marks, `/assets/marks-<hash>.svg`; set by `vite.config.ts`. */
declare const __MARKS_URL__: string;

/** `search.provider` of `site.config.ts`; set by `vite.config.ts`. */
declare const __SEARCH_PROVIDER__: "embedded" | "meilisearch" | "algolia";

declare module "virtual:boot-scripts" {
  /** Minified; to be inlined in `<head>`. Empty in the browser's bundle, like the others. */
  export const earlyScript: string;
  /** Minified; to be inlined right after the navigation tree. */
  export const treeScript: string;
  /** Address of the boot script's file. */
  export const bootUrl: string;
}

/** `millrace@0.1.0+<hash of the site's sources>`; set by `vite.config.ts`. */
declare const __RELEASE__: string;

interface Window {
  /** Errors not yet reported; the client replaces its `push`. */
  keptErrors?: Event[];
  /** Set by the boot script: stops recording and returns the clicks and key presses from before hydration. */
  takeKept?: () => (() => void)[];
  /** Set by the inlined script: stops recording and returns the events from before the boot script. */
  takeEarly?: () => Event[];
  /** Set by the boot script: makes the outline follow the page now in the document. */
  followOutline?: () => void;
  /**
   * Set by the client's entry, for the boot script to call once the page's modules are there; absent in
   * development. It takes the page's data as React Router writes it, the ids of its routes and, in the same
   * order, their modules.
   */
  hydrate?: (data: string, routes: string[], modules: unknown[]) => void;
}
