/**
 * The reader's side of the telemetry, loaded after the page: starts everything that the reader agreed to, and ends it
 * when the reader changes their mind, here or in another tab.
 */
import { siteConfig } from "#config";
import { doesBrowserRefuse, type Choice } from "#telemetry/browser/choice.ts";
import { forgetReader } from "#telemetry/browser/forget.ts";
import { readChoice, subscribeChoice, writeChoice } from "#telemetry/browser/stored-choice.ts";
import { showChoices, type ConsentQuestion } from "./consent-notice.tsx";
import { createMeasuring } from "./measuring.ts";
import { mountNotices } from "./notice-stack.tsx";
import { hideNotice, showNotice } from "./notice-store.ts";

const NOTHING: Choice = { analytics: false, recording: false };
const offered: Choice = {
  analytics: siteConfig.telemetry.analytics,
  recording: siteConfig.telemetry.recording,
};

export interface Reader {
  /** Shows the three choices to a reader who asked for them. */
  openChoices(): void;
  /** Stores an answer and applies it. Resolves when everything that it ends has ended. */
  choose(choice: Choice): Promise<void>;
  /** Resolves when the stored choice has been applied. */
  settled(): Promise<void>;
}

let reader: Reader | undefined;

/** May be called repeatedly; there is only one reader. */
export const startReader = (): Reader => (reader ??= start());

function start(): Reader {
  const measuring = createMeasuring();
  const isRefused = doesBrowserRefuse();

  /** The effective choice: limited to what the operator offers and the browser allows. */
  const validChoice = (): Choice => {
    const choice = readChoice() ?? NOTHING;
    return isRefused
      ? NOTHING
      : {
          analytics: choice.analytics && offered.analytics,
          recording: choice.recording && offered.recording,
        };
  };

  const choose = async (choice: Choice) => {
    const before = validChoice();
    writeChoice(choice);
    await measuring.settled();
    if (isWithdrawal(before, validChoice())) tellWithdrawn(validChoice());
  };
  const question = (): ConsentQuestion => ({
    offered,
    choice: isRefused ? NOTHING : readChoice(),
    isRefused,
    onAnswer: (choice) => void choose(choice),
  });

  mountNotices();
  subscribeChoice(() => {
    hideNotice("consent");
    measuring.apply(validChoice());
  });
  if (isRefused) forgetReader();
  else measuring.apply(validChoice());

  return {
    choose,
    settled: measuring.settled,
    openChoices() {
      // Replaces the question, which asks the same.
      document.getElementById("consent")?.remove();
      mountNotices();
      showChoices(question());
      requestAnimationFrame(() => document.getElementById("notice-consent")?.focus());
    },
  };
}

const isWithdrawal = (before: Choice, after: Choice) =>
  (before.analytics && !after.analytics) || (before.recording && !after.recording);

function tellWithdrawn({ analytics, recording }: Choice): void {
  const ended = analytics
    ? "Recording is off"
    : recording
      ? "Analytics are off"
      : "Analytics and recording are off";
  showNotice({
    id: "withdrawn",
    title: `${ended}.`,
    text:
      analytics || recording
        ? "Its data in this browser has been removed."
        : "Their data in this browser has been removed. To erase what was sent before, open the page “Your data”.",
    onDismiss: () => {},
  });
}
