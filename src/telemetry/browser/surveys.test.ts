/**
 * 1. The chosen survey is running, has a question that the notice can ask, and was not seen.
 * 2. Every flag that it names must be on.
 * 3. Its address condition holds, in each of PostHog's ways to match; a broken pattern matches nothing.
 * 4. An answer has the names that PostHog gives it.
 */
import { describe, expect, it } from "vitest";
import { chooseSurvey, surveyResponse, type Survey } from "./surveys.ts";

const survey: Survey = {
  id: "found-it",
  name: "Found it?",
  questions: [{ id: "q1", type: "single_choice", question: "Did you find it?", choices: ["Yes", "No"] }],
  start_date: "2026-01-01T00:00:00Z",
};
const url = "https://docs.example.com/docs/faq?x=1";
const choose = (change: Partial<Survey>, on: string[] = [], seen: string[] = []) =>
  chooseSurvey([{ ...survey, ...change }], {
    url,
    isFlagOn: (key) => on.includes(key),
    isSeen: (id) => seen.includes(id),
  })?.id;

describe("chooseSurvey", () => {
  it("(1) takes one that runs, can be asked and was not seen", () => {
    expect(choose({})).toBe("found-it");
    expect(choose({}, [], ["found-it"])).toBeUndefined();
    expect(choose({ start_date: null })).toBeUndefined();
    expect(choose({ end_date: "2026-02-01T00:00:00Z" })).toBeUndefined();
    expect(choose({ questions: [] })).toBeUndefined();
    expect(choose({ questions: [{ type: "rating", question: "How many stars?" }] })).toBeUndefined();
  });

  it("(2) needs every flag that it names", () => {
    const flags = { linked_flag_key: "a", targeting_flag_key: null, internal_targeting_flag_key: "b" };
    expect(choose(flags, ["a", "b"])).toBe("found-it");
    expect(choose(flags, ["a"])).toBeUndefined();
    expect(choose(flags, ["b"])).toBeUndefined();
  });

  it.each([
    ["icontains", "/DOCS/faq", true],
    [undefined, "/docs/cli", false],
    ["exact", url, true],
    ["exact", "/docs/faq", false],
    ["is_not", url, false],
    ["not_icontains", "/docs/cli", true],
    ["regex", "^https?://[^/]+/docs/faq(?:[/?#]|$)", true],
    ["regex", "(", false],
    ["not_regex", "/faq", false],
  ])("(3) matches by %s with %s: %s", (urlMatchType, wanted, isChosen) => {
    const conditions = { url: wanted, ...(urlMatchType && { urlMatchType }) };
    expect(choose({ conditions }) !== undefined).toBe(isChosen);
  });
});

it("(4) names an answer as PostHog does", () => {
  expect(surveyResponse(survey, "Yes")).toMatchObject({
    $survey_id: "found-it",
    $survey_response: "Yes",
    $survey_response_q1: "Yes",
  });
});
