/** Parts that few people view, or that are below everything else: their code is loaded when they are shown. */
import { lazy } from "react";

export const AttestationTable = lazy(async () => ({
  default: (await import("./attestation-table.tsx")).AttestationTable,
}));
export const BuildImage = lazy(async () => ({ default: (await import("./build-image.tsx")).BuildImage }));
export const BuildWarnings = lazy(async () => ({
  default: (await import("./build-warnings.tsx")).BuildWarnings,
}));
