/** A switch of `site.config.ts`; see there. */
export interface FlagDefinition {
  key: string;
  description: string;
  isActive: boolean;
  percentage: number;
  languages: readonly string[];
  paths: readonly string[];
  variants: readonly { key: string; percentage: number }[];
}

/** A question of `site.config.ts`; see there. */
export interface SurveyDefinition {
  id: string;
  isActive: boolean;
  question: string;
  choices: readonly string[];
  percentage: number;
  languages: readonly string[];
  paths: readonly string[];
}

/** `telemetry` of `site.config.ts`. */
export interface TelemetryConfig {
  retentionDays: number;
  maxBytes: number;
  analytics: boolean;
  recording: boolean;
  flags: readonly FlagDefinition[];
  surveys: readonly SurveyDefinition[];
}

/** The services that get a copy, from the environment. */
export interface ForwardConfig {
  posthog?: { host: string; key: string };
  sentry?: { dsn: string };
  algolia?: { appId: string; key: string; host?: string };
}
