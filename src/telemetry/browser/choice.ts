/** A reader's agreement in addition to what is necessary. */
export interface Choice {
  analytics: boolean;
  recording: boolean;
}

export const CHOICE_KEY = "millrace-consent";

/** `necessary`, `analytics`, `recording` or `analytics recording`; null before an answer. Where storage is forbidden, no one is asked. */
export function storedChoice(): string | null {
  try {
    return localStorage.getItem(CHOICE_KEY);
  } catch {
    return "necessary";
  }
}

/** Global Privacy Control and Do Not Track count as "necessary". */
export function doesBrowserRefuse(): boolean {
  return (
    (navigator as { globalPrivacyControl?: boolean }) /* not in TypeScript's DOM yet */
      .globalPrivacyControl === true || navigator.doNotTrack === "1"
  );
}
