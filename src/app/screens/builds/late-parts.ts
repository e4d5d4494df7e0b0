/** What few look at, or stands below everything else: its code comes when it is shown. */
import { lazy } from "react";

export const AttestationTable = lazy(async () => ({
  default: (await import("./attestation-table.tsx")).AttestationTable,
}));
export const BuildImage = lazy(async () => ({ default: (await import("./build-image.tsx")).BuildImage }));
export const BuildWarnings = lazy(async () => ({
  default: (await import("./build-warnings.tsx")).BuildWarnings,
}));
