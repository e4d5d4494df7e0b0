import { adoptStyles } from "./adopt-styles.ts";
import { lateFeatures, type LateFeature, type LateModule } from "./features.ts";

/**
 * Handles an event at an element of a late feature (see `start-late.ts`): fetches its code, or starts it.
 * @returns the name of a feature that could not be loaded
 */
export async function runFeature(event: Event, element: HTMLElement): Promise<string | undefined> {
  const feature = event instanceof KeyboardEvent ? byKey(event.key) : byName(element);
  if (!feature) return undefined;
  let module: LateModule;
  try {
    module = await feature.load();
  } catch {
    return feature.label;
  }
  const isOnlyNear = event.type === "pointerover" || event.type === "focusin";
  // The reader may have gone to another page in the meantime.
  if ((isOnlyNear && !("hover" in element.dataset)) || !element.isConnected) return undefined;
  if (module.styles) adoptStyles(module.styles);
  module.start(element, event);
  return undefined;
}

const byKey = (key: string) => Object.values(lateFeatures).find((feature) => feature.key === key);

function byName({ dataset }: HTMLElement): LateFeature | undefined {
  const name = dataset["late"] ?? dataset["hover"] ?? "";
  return Object.hasOwn(lateFeatures, name) ? lateFeatures[name] : undefined;
}
