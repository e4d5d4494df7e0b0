/**
 * PostHog's SDK, loaded once a reader has agreed: without its scripts from `/static/`, without autocapture, nothing in a
 * cookie. Feature flags and recording are its own extensions.
 */
import { FeatureFlagsExtensions, SessionReplayExtensions } from "posthog-js/dist/extension-bundles";
import { posthog, type CaptureResult, type PostHogConfig } from "posthog-js/dist/module.slim.no-external";
import type { Choice } from "./choice.ts";

/** The project's name at this origin; when the server forwards, it substitutes the real key. */
export const PROJECT = "millrace";

export interface PostHogOptions {
  choice: Choice;
  /** Called with the keys of the flags that are on for this reader, after each fetch. */
  onFlags: (keys: string[]) => void;
}

let isInitialized = false;
/** Set while a reader's choice allows events. */
let onFlags: PostHogOptions["onFlags"] | null = null;

/** May be called again after `stopPostHog`; the reader then has a new identifier. */
export function startPostHog({ choice, ...options }: PostHogOptions): void {
  onFlags = options.onFlags;
  const config = {
    disable_persistence: false,
    advanced_disable_feature_flags: !choice.analytics,
    disable_session_recording: !choice.recording,
  };
  if (isInitialized) {
    posthog.set_config({ ...config, advanced_disable_flags: false });
    posthog.reset(true);
    if (choice.analytics) reloadFlags();
    if (choice.recording) posthog.startSessionRecording();
    return;
  }
  isInitialized = true;
  posthog.init(PROJECT, { ...fixedConfig(), ...config });
  describePage(false);
  posthog.onFeatureFlags((keys) => onFlags?.(keys));
}

function fixedConfig(): Partial<PostHogConfig> {
  return {
    __extensionClasses: { ...FeatureFlagsExtensions, ...SessionReplayExtensions },
    api_host: `${location.origin}/ingest`,
    defaults: "2025-05-24",
    persistence: "localStorage",
    person_profiles: "never",
    autocapture: false,
    rageclick: false,
    capture_pageview: false,
    capture_pageleave: false,
    capture_heatmaps: false,
    capture_dead_clicks: false,
    capture_exceptions: false,
    capture_performance: false,
    disable_surveys: true,
    disable_product_tours: true,
    disable_web_experiments: true,
    disable_conversations: true,
    disable_external_dependency_loading: true,
    disable_scroll_properties: true,
    save_campaign_params: false,
    // "Initial" properties, which the SDK keeps and sends for flags, are made without `before_send`.
    mask_personal_data_properties: true,
    custom_personal_data_properties: ["q"],
    property_denylist: ["$raw_user_agent"],
    before_send: withoutQueries,
    session_recording: {
      maskAllInputs: true,
      maskTextSelector: "[data-private], [data-private] *",
      recordHeaders: false,
      recordBody: false,
      maskCapturedNetworkRequestFn: (request) => ({
        ...request,
        ...(request.name && { name: withoutQuery(request.name) }),
      }),
    },
  };
}

/** Sends an event; its properties are JSON values. */
export function capture(name: string, properties: object): void {
  posthog.capture(name, { ...properties });
}

/** Fetches the flags again, because they may depend on the page. */
export function reloadFlags(): void {
  describePage(true);
}

/** Flags may depend on this in addition to the reader. A referrer has only the origin. */
function describePage(isReloading: boolean): void {
  const page = { $pathname: location.pathname, $browser_language: navigator.language };
  posthog.setPersonPropertiesForFlags(page, isReloading);
}

/** Whether a flag is on; PostHog counts once which value this reader got. */
export function isFlagOn(key: string): boolean {
  return posthog.isFeatureEnabled(key) ?? false;
}

/** Starts or ends the recording; the recorder must be loaded. */
export function setRecording(isOn: boolean): void {
  posthog.set_config({ disable_session_recording: !isOn });
  if (isOn) posthog.startSessionRecording();
  else posthog.stopSessionRecording();
}

/**
 * Stops everything that runs on this page; `forgetReader` removes the data in the browser.
 * @public Called on the module that `import()` gave (site/reader/measuring.ts).
 */
export function stopPostHog(): void {
  onFlags = null;
  setRecording(false);
  // Must precede the reset, which would fetch flags for the new reader. It takes effect only because `init` did not set it.
  posthog.set_config({ advanced_disable_flags: true });
  posthog.reset(true);
  posthog.set_config({ disable_persistence: true });
}

/** The page's path is enough; a query may contain what was typed. After the stop, nothing is sent. */
function withoutQueries(event: CaptureResult | null): CaptureResult | null {
  if (!event || !onFlags) return null;
  for (const [key, value] of Object.entries(event.properties))
    if (/url|referrer/.test(key) && typeof value === "string") event.properties[key] = withoutQuery(value);
  return event;
}

const withoutQuery = (url: string) => url.replace(/[?#].*$/, "");
