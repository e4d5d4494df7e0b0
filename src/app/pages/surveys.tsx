import { useState } from "react";
import type { SurveyReport } from "#telemetry/index.ts";
import { useRange } from "../data/range.ts";
import { useReport } from "../data/use-report.ts";
import { formatCount, formatDateTime, formatShare } from "../format.ts";
import { BarList } from "../ui/bar-list.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { ReaderText } from "../ui/reader-text.tsx";
import { Empty, Show } from "../ui/states.tsx";

const SHOWN_ANSWERS = 20;

export function SurveysPage() {
  const { query, range } = useRange();
  const path = `surveys?${query}`;
  const [report, again] = useReport<SurveyReport[]>(path);
  return (
    <>
      <PageHead title="Surveys" exports={{ path, name: `surveys-${range.key}` }} />
      <Show report={report} again={again} what="The surveys">
        {(surveys) =>
          surveys.length === 0 ? (
            <NoSurveys />
          ) : (
            surveys.map((survey) => <Survey key={survey.id} survey={survey} />)
          )
        }
      </Show>
    </>
  );
}

function Survey({ survey }: { survey: SurveyReport }) {
  const answered = survey.counts.reduce((sum, each) => sum + each.count, 0) || survey.answers.length;
  return (
    <article className="survey">
      <header>
        <h2>{survey.question}</h2>
        <p className="note">
          <code>{survey.id}</code> · {survey.isActive ? "asked now" : "not asked now"}
        </p>
      </header>
      <dl className="facts">
        <div>
          <dt>Shown</dt>
          <dd>{formatCount(survey.shown)}</dd>
        </div>
        <div>
          <dt>Answered</dt>
          <dd>
            {formatCount(answered)} <span className="of">{formatShare(answered, survey.shown)}</span>
          </dd>
        </div>
        <div>
          <dt>Dismissed</dt>
          <dd>
            {formatCount(survey.dismissed)}{" "}
            <span className="of">{formatShare(survey.dismissed, survey.shown)}</span>
          </dd>
        </div>
      </dl>
      <div className="two-columns">
        {(survey.counts.length > 0 || survey.answers.length === 0) && (
          <BarList
            caption="Answers"
            head={["Answer", "Count"]}
            rows={survey.counts.map(({ answer, count }) => ({ name: answer, count }))}
            empty="Nobody has answered in this range."
          />
        )}
        <LastAnswers answers={survey.answers} />
      </div>
    </article>
  );
}

function LastAnswers({ answers }: { answers: SurveyReport["answers"] }) {
  const [isAll, setIsAll] = useState(false);
  const shown = isAll ? answers : answers.slice(0, SHOWN_ANSWERS);
  if (answers.length === 0) return null;
  return (
    <section className="answers">
      <h3>The last ones</h3>
      <ul>
        {shown.map((answer) => (
          <li key={`${answer.at}${answer.path}${answer.answer}`}>
            <p className="reader-words">
              <ReaderText text={answer.answer} length={400} />
            </p>
            <p className="note">
              {formatDateTime(answer.at)}
              {answer.path && (
                <>
                  {" · "}
                  <code>{answer.path}</code>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {answers.length > shown.length && (
        <button className="btn btn-line btn-sm" type="button" onClick={() => setIsAll(true)}>
          Show all {answers.length}
        </button>
      )}
    </section>
  );
}

function NoSurveys() {
  return (
    <Empty title="No survey is defined">
      <p>
        A survey is one question in the corner of the documentation, asked once of each reader who agreed to
        analytics. Name the first one in <code>site.config.ts</code>:
      </p>
      <pre className="sample">
        <code>{`telemetry: {
  surveys: [
    {
      id: "missing-page",
      isActive: true,
      question: "What did you look for and not find?",
      choices: [],       // empty: an open question
      percentage: 20,    // of readers
      languages: [],
      paths: ["/docs"],
    },
  ],
}`}</code>
      </pre>
    </Empty>
  );
}
