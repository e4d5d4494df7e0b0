import type { DatabaseSync } from "node:sqlite";
import type { SurveyReport } from "./report-types.ts";
import { all, type Range } from "./range.ts";

const ANSWERS_PER_SURVEY = 500;

/** How often each value of a flag was given. */
export function readFlagValues(
  db: DatabaseSync,
  { from, to }: Range,
): { key: string; value: string; count: number }[] {
  return all(
    db,
    `SELECT json_extract(properties, '$."$feature_flag"') AS key,
       CASE json_type(properties, '$."$feature_flag_response"')
         WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'
         ELSE CAST(json_extract(properties, '$."$feature_flag_response"') AS TEXT) END AS value,
       count(*) AS count
     FROM events WHERE name = '$feature_flag_called' AND at >= ? AND at < ?
     GROUP BY 1, 2 HAVING key IS NOT NULL AND value IS NOT NULL ORDER BY 3 DESC, 2`,
    from,
    to,
  );
}

export type SurveyAnswers = Pick<SurveyReport, "id" | "shown" | "dismissed" | "answers" | "counts">;

const SURVEY_ID = `json_extract(properties, '$."$survey_id"')`;
const SURVEY_ANSWER = `json_extract(properties, '$."$survey_response"')`;

export function readSurveyAnswers(
  db: DatabaseSync,
  { from, to, ids }: Range & { ids: readonly string[] },
): SurveyAnswers[] {
  const shown = db.prepare(
    `SELECT sum(name = 'survey shown') AS shown, sum(name = 'survey dismissed') AS dismissed FROM events
     WHERE name IN ('survey shown', 'survey dismissed') AND ${SURVEY_ID} = ? AND at >= ? AND at < ?`,
  );
  const sent = `FROM events WHERE name = 'survey sent' AND ${SURVEY_ID} = ? AND ${SURVEY_ANSWER} IS NOT NULL
     AND at >= ? AND at < ?`;
  return ids.map((id) => {
    const counts = shown.get(id, from, to);
    return {
      id,
      shown: Number(counts?.["shown"] ?? 0),
      dismissed: Number(counts?.["dismissed"] ?? 0),
      answers: all(
        db,
        `SELECT at, path, CAST(${SURVEY_ANSWER} AS TEXT) AS answer ${sent} ORDER BY at DESC LIMIT ${ANSWERS_PER_SURVEY}`,
        id,
        from,
        to,
      ),
      counts: all(
        db,
        `SELECT CAST(${SURVEY_ANSWER} AS TEXT) AS answer, count(*) AS count ${sent} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 100`,
        id,
        from,
        to,
      ),
    };
  });
}
