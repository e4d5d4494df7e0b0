/**
 * Removes the SDKs' data from a browser: PostHog's under `ph_<key>_…` in both storages, its seen surveys, and the Insights
 * client's cookie and cache.
 */
const SDK_KEY = /^(?:ph_|__ph_|seenSurvey_|inProgressSurvey_|lastSeenSurveyDate$|AlgoliaObjectQueryCache$)/;
const SDK_COOKIE = /^(?:ph_|_ALGOLIA$)/;

/** Removes all of it. */
export function forgetReader(): void {
  remove(SDK_KEY, SDK_COOKIE);
}

/** Removes the data of click analytics. */
export function forgetInsights(): void {
  remove(/^AlgoliaObjectQueryCache$/, /^_ALGOLIA$/);
}

function remove(keys: RegExp, cookies: RegExp): void {
  for (const storage of storages())
    for (const key of Object.keys(storage)) if (keys.test(key)) storage.removeItem(key);
  for (const name of cookieNames()) if (cookies.test(name)) document.cookie = `${name}=; path=/; max-age=-1`;
}

/** The identifiers of this browser in analytics and click analytics; empty when it has none. */
export function readerIds(): string[] {
  const ids = storages().flatMap((storage) => Object.keys(storage).map((key) => distinctIdOf(storage, key)));
  const insights = /(?:^|; )_ALGOLIA=([^;]+)/.exec(document.cookie)?.[1];
  return [...new Set([...ids, insights])].filter((id) => id !== undefined);
}

function distinctIdOf(storage: Storage, key: string): string | undefined {
  if (!/^ph_.*_posthog$/.test(key)) return undefined;
  try {
    const state = JSON.parse(storage.getItem(key) ?? "") as { distinct_id?: unknown } | null;
    return typeof state?.distinct_id === "string" ? state.distinct_id : undefined;
  } catch {
    return undefined;
  }
}

/** Both storages; none where the browser forbids them. */
function storages(): Storage[] {
  try {
    return [localStorage, sessionStorage];
  } catch {
    return [];
  }
}

function cookieNames(): string[] {
  return document.cookie.split("; ").map((cookie) => cookie.split("=", 1)[0] ?? "");
}
