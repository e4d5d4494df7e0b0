/**
 * The client's own part of telemetry: a few hundred bytes. The rest is loaded after an error, when
 * the reader has agreed, or when they open the choices; see decisions/004 and 011.
 */
import { siteConfig } from "#config";
import { CHOICE_KEY, storedChoice } from "#telemetry/browser/choice.ts";

const isAsked = siteConfig.telemetry.analytics || siteConfig.telemetry.recording;

/**
 * True while the flag is on for this reader; false without their consent.
 * @public For experimental parts of a page; sometimes there are none.
 */
export function isEnabled(flag: string): boolean {
  return (document.documentElement.dataset["flags"] ?? "").split(" ").includes(flag);
}

export function startTelemetry(): void {
  sendErrors();
  startAgreed();
  addEventListener("storage", ({ key }) => key === CHOICE_KEY && startAgreed());
}

/** Loads nothing for readers who have not answered (`boot/ask.ts` asks them) or said no. */
function startAgreed(): void {
  if (isAsked && (storedChoice() ?? "necessary") !== "necessary")
    (window.requestIdleCallback ?? setTimeout)(() => void loadReader().catch(() => {}));
}

/** The choices and the SDKs. Rejects when the file cannot be loaded; the site works without it. */
export const loadReader = () => import("./reader/start-reader.ts").then(({ startReader }) => startReader());

/** `boot/boot.ts` has kept earlier errors; from now on each goes to the SDK. */
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
