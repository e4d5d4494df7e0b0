interface Window {
  /** `/auth/state`, requested by `frame.html`. */
  millraceState?: Promise<Response>;
}

/** The product's name in `site.config.ts`. */
declare const __SITE_NAME__: string;
