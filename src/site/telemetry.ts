/**
 * What the client itself has of the telemetry: some hundred bytes. The rest is fetched when something has failed, when
 * the reader has agreed, or opens the choices; see decisions/004 and 011.
 */
import { siteConfig } from "#config";
import { CHOICE_KEY, storedChoice } from "#telemetry/browser/choice.ts";

/** What a reader does that analytics wants to know. */
export interface TrackedEvents {
  /** A page was shown by a navigation on the client. */
  page: undefined;
  answer: SearchAnswered;
  feedback: { answer: string };
}

export interface SearchAnswered {
  query: string;
  total: number;
  hits: { objectID: string; url: string }[];
  /** The search provider's name for this answer, when it has one. */
  queryID?: string | undefined;
}

type Listener = <Name extends keyof TrackedEvents>(name: Name, detail: TrackedEvents[Name]) => void;

const isAsked = siteConfig.telemetry.analytics || siteConfig.telemetry.recording;
let listener: Listener | undefined;

/** Without a reader who agreed nobody listens, and nothing is kept. */
export const track: Listener = (name, detail) => listener?.(name, detail);

export function setTrackListener(next: Listener | undefined): void {
  listener = next;
}

/**
 * True while the flag is on for this reader; false without their consent.
 * @public For parts of a page that are being tried; at times there are none.
 */
export function isEnabled(flag: string): boolean {
  return (document.documentElement.dataset["flags"] ?? "").split(" ").includes(flag);
}

export function startTelemetry(): void {
  sendErrors();
  startAgreed();
  addEventListener("storage", ({ key }) => key === CHOICE_KEY && startAgreed());
}

/** Nothing is fetched for readers who have not answered (`boot/ask.ts` asks them) or said no. */
function startAgreed(): void {
  if (isAsked && (storedChoice() ?? "necessary") !== "necessary")
    (window.requestIdleCallback ?? setTimeout)(() => void loadReader().catch(() => {}));
}

/** The choices and the SDKs. Rejects when the file cannot be had; the site works without. */
export const loadReader = () => import("./reader/start-reader.ts").then(({ startReader }) => startReader());

/** Errors of the time before this are kept by `boot/boot.ts`; from now on each goes to the SDK. */
function sendErrors(): void {
  const kept = window.keptErrors ?? [];
  let reports: Promise<typeof import("#telemetry/browser/error-reports.ts")> | undefined;
  const send = (event: Event) => {
    reports ??= import("#telemetry/browser/error-reports.ts");
    reports.then(({ report }) => report(event)).catch(() => {});
    return 0;
  };
  kept.splice(0).forEach(send);
  kept.push = send;
}
