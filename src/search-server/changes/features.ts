/** Experimental features that a client switches on before it may use them. */
import type { Catalog } from "../catalog/catalog.ts";
import { ApiError } from "../protocol/errors.ts";
import { asStorageError } from "../protocol/storage-errors.ts";

export const SWITCHED_FEATURES = ["dynamicSearchRules", "foreignKeys", "renderRoute"] as const;

export type SwitchedFeature = (typeof SWITCHED_FEATURES)[number];

export interface Features {
  isOn: (feature: SwitchedFeature) => boolean;
  /** Stored when it returns. @throws ApiError */
  switch: (features: readonly [feature: SwitchedFeature, isOn: boolean][]) => void;
  /** @param what is refused while it is off. @throws ApiError */
  require: (feature: SwitchedFeature, what: string) => void;
}

/** @param onSwitch called when the switched features are stored */
export function createFeatures(catalog: Catalog, onSwitch: () => void): Features {
  return {
    isOn: (feature) => catalog.isOn(feature),
    switch(features) {
      try {
        catalog.switch(features);
      } catch (error) {
        throw asStorageError(error);
      }
      onSwitch();
    },
    require(feature, what) {
      if (catalog.isOn(feature)) return;
      throw new ApiError(
        "feature_not_enabled",
        `${what} requires enabling the \`${feature}\` experimental feature: PATCH /experimental-features {"${feature}": true}.`,
      );
    },
  };
}
