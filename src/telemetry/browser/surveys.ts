/**
 * Surveys as PostHog describes them. The SDK's own choice among them (`getActiveMatchingSurveys`) needs its script of
 * 104 KB that also draws them; this is the part that the site's notice needs. Protocol: `GET /api/surveys/?token=…`.
 */

export interface Survey {
  id: string;
  name: string;
  questions: SurveyQuestion[];
  conditions?: { url?: string; urlMatchType?: string; seenSurveyWaitPeriodInDays?: number } | null;
  start_date?: string | null;
  end_date?: string | null;
  linked_flag_key?: string | null;
  targeting_flag_key?: string | null;
  internal_targeting_flag_key?: string | null;
  appearance?: { surveyPopupDelaySeconds?: number } | null;
}

export interface SurveyQuestion {
  id?: string;
  type: string;
  question: string;
  description?: string | null;
  choices?: string[];
  optional?: boolean;
}

export interface SurveyContext {
  /** The page's address. */
  url: string;
  isFlagOn: (key: string) => boolean;
  isSeen: (id: string) => boolean;
}

/** @returns no surveys when the endpoint does not answer. */
export async function fetchSurveys(project: string): Promise<Survey[]> {
  try {
    const response = await fetch(`/ingest/api/surveys/?token=${project}`);
    // The server's own answer; missing fields of a survey are checked where they are used.
    const { surveys } = (await response.json()) as { surveys?: Survey[] };
    return response.ok ? (surveys ?? []) : [];
  } catch {
    return [];
  }
}

/** The first active survey for this page and reader that the reader has not seen. */
export function chooseSurvey(
  surveys: Survey[],
  { url, isFlagOn, isSeen }: SurveyContext,
): Survey | undefined {
  return surveys.find(
    (survey) =>
      isRunning(survey) &&
      !isSeen(survey.id) &&
      matchesUrl(survey, url) &&
      flagsOf(survey).every(isFlagOn) &&
      survey.questions.length > 0 &&
      ["open", "single_choice"].includes(survey.questions[0]?.type ?? ""),
  );
}

const isRunning = ({ start_date, end_date }: Survey) => Boolean(start_date) && !end_date;

const flagsOf = (survey: Survey): string[] =>
  [survey.linked_flag_key, survey.targeting_flag_key, survey.internal_targeting_flag_key].filter(
    (key) => typeof key === "string" && key !== "",
  ) as string[]; // narrowed by the filter

function matchesUrl({ conditions }: Survey, url: string): boolean {
  const wanted = conditions?.url;
  if (!wanted) return true;
  switch (conditions.urlMatchType) {
    case "exact":
      return url === wanted;
    case "is_not":
      return url !== wanted;
    case "not_icontains":
      return !url.toLowerCase().includes(wanted.toLowerCase());
    case "regex":
      return matchesPattern(wanted, url);
    case "not_regex":
      return !matchesPattern(wanted, url);
    default:
      return url.toLowerCase().includes(wanted.toLowerCase());
  }
}

function matchesPattern(pattern: string, url: string): boolean {
  try {
    return new RegExp(pattern).test(url);
  } catch {
    return false;
  }
}

/** The SDK's own key, so that no one is asked twice if its surveys are used later. */
const seenKey = (id: string) => `seenSurvey_${id}`;

export function isSurveySeen(id: string): boolean {
  try {
    return localStorage.getItem(seenKey(id)) !== null;
  } catch {
    return true;
  }
}

export function markSurveySeen(id: string): void {
  try {
    localStorage.setItem(seenKey(id), "true");
  } catch {}
}

/** Properties of `survey sent`, as the SDK names them. */
export function surveyResponse(
  { id, name, questions }: Survey,
  response: string,
): { [key: string]: unknown } {
  const question = questions[0];
  return {
    $survey_id: id,
    $survey_name: name,
    $survey_response: response,
    ...(question?.id && { [`$survey_response_${question.id}`]: response }),
    $survey_questions: [{ id: question?.id ?? null, question: question?.question ?? "", response }],
  };
}
