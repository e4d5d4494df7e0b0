/** The JSON that posthog-js requests: remote configuration, flags, surveys. */
import { randomUUID } from "node:crypto";
import type { FlagDefinition, SurveyDefinition, TelemetryConfig } from "../../contract/config.ts";
import { evaluateFlag, type FlagReader, type Switch, surveyFlag } from "./evaluate-flags.ts";

/** Answers `/array/<key>/config`. */
export function remoteConfig(config: TelemetryConfig, token: string) {
  return {
    token,
    supportedCompression: ["gzip", "gzip-js"],
    hasFeatureFlags: config.flags.length + config.surveys.length > 0,
    analytics: { endpoint: "/i/v0/e/" },
    sessionRecording: config.recording
      ? {
          endpoint: "/s/",
          recorderVersion: "v2",
          version: 1,
          consoleLogRecordingEnabled: true,
          sampleRate: null,
          minimumDurationMilliseconds: null,
          linkedFlag: null,
          networkPayloadCapture: null,
          masking: { maskAllInputs: true, maskTextSelector: "[data-private], [data-private] *" },
          urlTriggers: [],
          urlBlocklist: [],
          eventTriggers: [],
        }
      : false,
    surveys: config.surveys.some((survey) => survey.isActive),
    autocapture_opt_out: true,
    autocaptureExceptions: false,
    errorTracking: { autocaptureExceptions: false, suppressionRules: [] },
    capturePerformance: false,
    captureDeadClicks: false,
    heatmaps: false,
    productTours: false,
    conversations: false,
    elementsChainAsString: true,
    defaultIdentifiedOnly: true,
    siteApps: [],
    toolbarParams: {},
    toolbarVersion: "toolbar",
    isAuthenticated: false,
  };
}

/** The same as a script, for SDKs that load it: `config.js`. */
export function remoteConfigScript(config: TelemetryConfig, token: string): string {
  const json = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");
  const all = "window._POSTHOG_REMOTE_CONFIG";
  return `${all} = ${all} || {};\n${all}[${json(token)}] = { config: ${json(remoteConfig(config, token))}, siteApps: [] };\n`;
}

/** Answers `/flags/?v=2`, with the fields of `/decide?v=3` in addition: an SDK reads the fields that it knows. */
export function flagsAnswer(config: TelemetryConfig, reader: FlagReader) {
  const switches: Switch[] = [...config.flags, ...config.surveys.map(surveyFlag)];
  const values = switches.map((flag) => evaluateFlag(flag, reader));
  return {
    errorsWhileComputingFlags: false,
    flags: Object.fromEntries(
      values.map(({ key, value, reason }, index) => [
        key,
        {
          key,
          enabled: value !== false,
          variant: typeof value === "string" ? value : null,
          reason: { code: reason, condition_index: 0, description: reason.replaceAll("_", " ") },
          metadata: {
            id: index + 1,
            version: 1,
            description: descriptionOf(switches[index]),
            payload: null,
          },
        },
      ]),
    ),
    featureFlags: Object.fromEntries(values.map(({ key, value }) => [key, value])),
    featureFlagPayloads: {},
    requestId: randomUUID(),
    evaluatedAt: Date.now(),
    quotaLimited: [],
  };
}

function descriptionOf(flag: Switch | undefined): string {
  return flag && "description" in flag ? (flag as FlagDefinition).description : "";
}

/** Answers `/api/surveys/`: only active surveys. */
export function surveysAnswer(config: TelemetryConfig) {
  return { surveys: config.surveys.filter((survey) => survey.isActive).map(toSurvey) };
}

function toSurvey(survey: SurveyDefinition) {
  const { id, question, choices, paths } = survey;
  const isOpen = choices.length === 0;
  return {
    id,
    name: question,
    description: "",
    // The site shows it in the notices' corner, instead of the SDK's popover.
    type: "api",
    questions: [
      {
        id: `${id}-question`,
        type: isOpen ? "open" : "single_choice",
        question,
        description: "",
        ...(!isOpen && { choices }),
      },
    ],
    appearance: null,
    conditions: paths.length > 0 ? { url: urlPattern(paths), urlMatchType: "regex" } : null,
    start_date: "2026-01-01T00:00:00Z",
    end_date: null,
    linked_flag_key: null,
    targeting_flag_key: null,
    internal_targeting_flag_key: surveyFlag(survey).key,
    feature_flag_keys: [],
    current_iteration: null,
    current_iteration_start_date: null,
    enable_partial_responses: false,
  };
}

/** PostHog has one address per survey, so the paths become one regular expression. */
function urlPattern(paths: readonly string[]): string {
  const escaped = paths.map((path) => path.replace(/\/$/, "").replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return `^https?://[^/]+(?:${escaped.join("|")})(?:[/?#]|$)`;
}
