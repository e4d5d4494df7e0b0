import { CHOICE_KEY, storedChoice, type Choice } from "./choice.ts";

/** @returns null before an answer. */
export function readChoice(): Choice | null {
  return choiceOf(storedChoice());
}

/** The meaning of a stored answer. */
export function choiceOf(stored: string | null): Choice | null {
  if (stored === null) return null;
  const agreed = stored.split(" ");
  return { analytics: agreed.includes("analytics"), recording: agreed.includes("recording") };
}

/** Remembers an answer, in this browser only and without a cookie. Where storage is full, it lasts for the page. */
export function writeChoice({ analytics, recording }: Choice): void {
  const agreed = [analytics && "analytics", recording && "recording"].filter(Boolean);
  document.documentElement.dataset["answered"] = "";
  try {
    localStorage.setItem(CHOICE_KEY, agreed.join(" ") || "necessary");
  } catch {}
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

/** Calls back after every answer, in this tab or in another. @returns a function that stops it. */
export function subscribeChoice(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => event.key === CHOICE_KEY && listener();
  listeners.add(listener);
  addEventListener("storage", onStorage);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", onStorage);
  };
}
