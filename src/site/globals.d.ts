/** The sprite's address, `/assets/icons-<hash>.svg`; set by `vite.config.ts`. */
declare const __SPRITE_URL__: string;

declare module "virtual:boot-script" {
  /** The minified boot script; empty in the browser's bundle. */
  export const bootScript: string;
}

interface Window {
  /** Set by the boot script: ends its keeping and returns what was clicked and pressed before hydration. */
  takeKept?: () => (() => void)[];
}
