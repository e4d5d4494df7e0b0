/** Families of user agents, tried in order, because other browsers claim to be Chrome as well. */
const FAMILIES: readonly [name: string, pattern: RegExp][] = [
  ["bot", /bot\b|crawl|spider|slurp|headlesschrome-bot|facebookexternalhit|preview|monitor|lighthouse|scan/i],
  ["curl", /^curl\//i],
  ["other", /^(?:wget|python|go-http|node|undici|axios|okhttp|java|ruby|libwww|apache-httpclient)/i],
  ["Edge", /\bedga?(?:ios)?\//i],
  ["Opera", /\bopr\/|\bopera\b/i],
  ["Samsung Internet", /samsungbrowser\//i],
  ["Firefox", /\bfirefox\/|\bfxios\//i],
  ["Chrome", /\b(?:headless)?chrome\/|\bcriOS\/|\bchromium\//i],
  ["Safari", /\bsafari\//i],
];

/** The rest of the text does not indicate the family. */
const MAX_LENGTH = 1000;

/** `Chrome`, `Firefox`, `Safari`, `Edge`, `curl`, `bot`, … : all that is stored of a user agent. */
export function browserFamily(userAgent: string | null | undefined): string {
  if (!userAgent) return "other";
  const start = userAgent.slice(0, MAX_LENGTH);
  return FAMILIES.find(([, pattern]) => pattern.test(start))?.[0] ?? "other";
}
