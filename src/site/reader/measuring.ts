import { siteConfig } from "#config";
import type { Choice } from "#telemetry/browser/choice.ts";
import { forgetInsights, forgetReader } from "#telemetry/browser/forget.ts";
import { chooseSurvey, fetchSurveys, isSurveySeen } from "#telemetry/browser/surveys.ts";
import { createRest } from "./at-rest.ts";
import { hideNotice } from "./notice-store.ts";
import { startSiteEvents } from "./site-events.ts";
import { showSurvey } from "./survey-notice.tsx";

type PostHog = typeof import("#telemetry/browser/posthog.ts");

interface Analytics {
  /** Called when the flags are known, or have changed. */
  onFlags(): Promise<void>;
  stop(): void;
}

const { flags, surveys } = siteConfig.telemetry;
const dependsOnPage = [...flags, ...surveys].some((each) => each.isActive && each.paths.length > 0);
const { indexName, algolia } = siteConfig.search;

/** The SDKs that a reader agreed to. Each is fetched when it is first needed. */
export function createMeasuring() {
  let running: { choice: Choice; posthog: PostHog } | null = null;
  let analytics: Analytics | null = null;
  let change = Promise.resolve();

  async function start(choice: Choice): Promise<void> {
    const [posthog] = await Promise.all([
      import("#telemetry/browser/posthog.ts"),
      choice.recording && import("#telemetry/browser/recorder.ts"),
    ]);
    const onFlags = (keys: string[]) => {
      showFlags(keys);
      void analytics?.onFlags();
    };
    posthog.startPostHog({ choice, onFlags });
    running = { choice, posthog };
    if (choice.analytics) analytics = await startAnalytics(posthog);
  }

  async function update(next: Choice): Promise<void> {
    if (!running) return;
    const { choice, posthog } = running;
    if (choice.recording !== next.recording) {
      if (next.recording) await import("#telemetry/browser/recorder.ts");
      posthog.setRecording(next.recording);
    }
    if (choice.analytics && !next.analytics) {
      stopAnalytics();
      forgetInsights();
    } else if (next.analytics && !choice.analytics) {
      analytics = await startAnalytics(posthog);
      posthog.reloadFlags();
    }
    running.choice = next;
  }

  function stopAnalytics(): void {
    analytics?.stop();
    analytics = null;
    showFlags([]);
  }

  function stop(): void {
    stopAnalytics();
    running?.posthog.stopPostHog();
    running = null;
    forgetReader();
    // The SDK writes once more when the page is left; that data must not remain.
    addEventListener("pagehide", () => running === null && forgetReader());
  }

  return {
    settled: () => change,
    /** Applies changes one after the other. If an SDK cannot be fetched, the page continues without it. */
    apply(choice: Choice): void {
      change = change
        .then(() => {
          if (!choice.analytics && !choice.recording) return stop();
          return running ? update(choice) : start(choice);
        })
        .catch(() => {});
    },
  };
}

/**
 * Events, click analytics, surveys. A survey never appears on the page on which the reader has just answered the consent
 * question, and opens when they pause. @returns a function that ends them.
 */
async function startAnalytics(posthog: PostHog): Promise<Analytics> {
  const { startInsights } = await import("#telemetry/browser/insights.ts");
  const reportClick = startInsights({
    index: algolia?.indexName ?? indexName,
    ...(algolia && { appId: algolia.appId, apiKey: algolia.searchKey }),
  });
  const known = surveys.some((survey) => survey.isActive) ? fetchSurveys(posthog.PROJECT) : [];
  let isRunning = true;
  let isAsked = false;
  const rest = createRest();
  const isPageOfAnswer = () => "answered" in document.documentElement.dataset;
  const ask = async () => {
    const { isFlagOn } = posthog;
    const find = async () =>
      chooseSurvey(await known, { url: location.href, isFlagOn, isSeen: isSurveySeen });
    if (isPageOfAnswer() || !(await find())) return;
    await rest.wait();
    // The reader may have left the page, or withdrawn the choice, in the meantime.
    const survey = await find();
    if (!survey || isAsked || !isRunning || isPageOfAnswer()) return;
    isAsked = true;
    showSurvey(survey, posthog.capture);
  };
  posthog.capture("$pageview", {});
  const stopEvents = startSiteEvents({
    capture: posthog.capture,
    onHitClick: reportClick,
    onPage: () => {
      delete document.documentElement.dataset["answered"];
      if (dependsOnPage) posthog.reloadFlags();
      else void ask();
    },
  });
  return {
    async onFlags() {
      for (const { key } of flags) posthog.isFlagOn(key);
      await ask();
    },
    stop() {
      isRunning = false;
      rest.stop();
      stopEvents();
      hideNotice("survey");
    },
  };
}

/** For `isEnabled` (telemetry.ts) and for style sheets. */
function showFlags(on: string[]): void {
  if (on.length > 0) document.documentElement.dataset["flags"] = on.join(" ");
  else delete document.documentElement.dataset["flags"];
}
