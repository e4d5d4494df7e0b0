/**
 * 1. The hash is PostHog's: values computed with its Python code (`int(sha1(...).hexdigest()[:15], 16) / 0xfffffffffffffff`).
 * 2. The same reader always gets the same value; of 10,000 readers p % get it, in each variant its share; a larger percentage
 *    removes no one.
 * 3. A flag that is off, for another language or another page is off for everyone; a path includes everything below it.
 * 4. A survey's flag and conditions are PostHog's; a survey that is off is not listed.
 */
import { expect, test } from "vitest";
import type { FlagDefinition, SurveyDefinition } from "../../contract/config.ts";
import { startTelemetry } from "../../testing/telemetry.ts";
import { evaluateFlag, flagHash } from "./evaluate-flags.ts";
import { surveysAnswer } from "./posthog-json.ts";

const flag = (changes: Partial<FlagDefinition> = {}): FlagDefinition => ({
  key: "new-search",
  description: "A test.",
  isActive: true,
  percentage: 100,
  languages: [],
  paths: [],
  variants: [],
  ...changes,
});
const survey = (changes: Partial<SurveyDefinition> = {}): SurveyDefinition => ({
  id: "found-it",
  isActive: true,
  question: "Did you find it?",
  choices: ["Yes", "No"],
  percentage: 100,
  languages: [],
  paths: [],
  ...changes,
});
const config = {
  retentionDays: 30,
  maxBytes: 50_000_000,
  analytics: true,
  recording: false,
  flags: [],
  surveys: [],
};
const reader = (distinctId: string, path: string | null = "/docs", language: string | null = "en") => ({
  distinctId,
  path,
  language,
});
const readers = Array.from({ length: 10_000 }, (_, number) => `01a1fc2d-${number}`);

test.each([
  ["simple-flag", "distinct_id", 0.3457103347480679, 0.5441445815159149],
  ["new-search", "01a1fc2d-26f7-7798-aea1-fa75d352d7ea", 0.7348560362686071, 0.893294150117358],
  ["new-search", "reader-1", 0.17223184725899954, 0.7302212218139186],
  ["beta", "ü-reader", 0.10850224674821057, 0.8555234380723329],
])("1. %s.%s", (key, id, hash, variantHash) => {
  expect(flagHash(key, id)).toBe(hash);
  expect(flagHash(key, id, "variant")).toBe(variantHash);
});

test.each([0, 1, 10, 33.3, 50, 90, 100])("2. %f %% of readers", (percentage) => {
  const isOn = (id: string, share = percentage) =>
    evaluateFlag(flag({ percentage: share }), reader(id)).value === true;
  const on = readers.filter((id) => isOn(id));
  // Four standard deviations of a fair coin.
  const deviation = 4 * Math.sqrt((readers.length * percentage * (100 - percentage)) / 10_000);
  expect(Math.abs(on.length - readers.length * (percentage / 100))).toBeLessThanOrEqual(deviation);
  expect(on.every((id) => isOn(id) && isOn(id, Math.min(percentage + 5, 100)))).toBe(true);
});

test("2. variants have their shares", () => {
  const variants = [
    { key: "control", percentage: 50 },
    { key: "one", percentage: 30 },
    { key: "two", percentage: 20 },
  ];
  const counts = new Map<unknown, number>();
  for (const id of readers) {
    const { value } = evaluateFlag(flag({ variants }), reader(id));
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  for (const { key, percentage } of variants)
    expect(Math.abs((counts.get(key) ?? 0) - percentage * 100)).toBeLessThan(200);
  expect(counts.size).toBe(3);
});

test.each<[string, Partial<FlagDefinition>, Parameters<typeof reader>, boolean]>([
  ["off", { isActive: false }, ["a"], false],
  ["its language", { languages: ["de"] }, ["a", "/", "de"], true],
  ["another language", { languages: ["de"] }, ["a", "/", "en"], false],
  ["no language", { languages: ["de"] }, ["a", "/", null], false],
  ["the path", { paths: ["/docs/cache"] }, ["a", "/docs/cache"], true],
  ["below the path", { paths: ["/docs/cache/"] }, ["a", "/docs/cache/overview"], true],
  ["beside the path", { paths: ["/docs/cache"] }, ["a", "/docs/cache-keys"], false],
  ["everywhere", { paths: ["/"] }, ["a", "/docs"], true],
  ["no path", { paths: ["/docs"] }, ["a", null], false],
])("3. %s", (_name, changes, [id, path, language], isOn) => {
  expect(evaluateFlag(flag(changes), reader(id, path, language)).value).toBe(isOn);
});

test("3. over HTTP: page and language of the request", async () => {
  const flags = [
    flag({ key: "german", languages: ["de"] }),
    flag({ key: "cache", paths: ["/docs/cache"] }),
    flag(),
  ];
  const { request } = startTelemetry({ config: { ...config, flags, surveys: [survey()] } });
  const response = await request("/ingest/flags/?v=2", {
    method: "POST",
    body: JSON.stringify({ token: "t", distinct_id: "a-reader-of-the-site", person_properties: {} }),
    headers: {
      "accept-language": "de-CH,en;q=0.5",
      referer: "https://docs.example.com/docs/cache/overview?q=x",
    },
  });
  const answer = (await response.json()) as {
    featureFlags: object;
    flags: object;
    errorsWhileComputingFlags: boolean;
  };
  const values = { german: true, cache: true, "new-search": true, "survey-targeting-found-it": true };
  expect(answer.featureFlags).toEqual(values);
  expect(answer.flags).toMatchObject({
    german: { enabled: true, variant: null, reason: { code: "condition_match" } },
  });
  expect(answer.errorsWhileComputingFlags).toBe(false);
});

test("4. surveys", () => {
  const { surveys } = surveysAnswer({
    ...config,
    surveys: [survey({ paths: ["/docs/cache", "/docs/a.b"] }), survey({ id: "off", isActive: false })],
  });
  expect(surveys).toHaveLength(1);
  const [first] = surveys;
  expect(first?.internal_targeting_flag_key).toBe("survey-targeting-found-it");
  expect(first?.questions[0]).toMatchObject({ type: "single_choice", choices: ["Yes", "No"] });
  const url = new RegExp(first?.conditions?.url ?? "");
  const matches = (path: string) => url.test(`https://docs.example.com${path}`);
  expect(["/docs/cache", "/docs/cache/x", "/docs/cache?q=1", "/docs/a.b"].every(matches)).toBe(true);
  expect(["/docs", "/docs/cache-keys", "/docs/axb", "/x/docs/cache"].some(matches)).toBe(false);
});
