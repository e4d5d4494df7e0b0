import type { CSSProperties } from "react";

/** For `style`: measures that only data knows; everything else is a class. */
export const cssVariables = (variables: { [name: `--${string}`]: string | number }) =>
  // React's type knows no custom properties.
  variables as CSSProperties;
