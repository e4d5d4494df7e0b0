import type { CSSProperties } from "react";

/** For `style`: sizes that depend on data; everything else is a class. */
export const cssVariables = (variables: { [name: `--${string}`]: string | number }) =>
  // React's type has no custom properties.
  variables as CSSProperties;
