import { useState } from "react";
import type { SurveyReport } from "#telemetry/index.ts";
import { formatCount, formatDateTime, formatShare } from "../../format.ts";
import { CodeBlock } from "../../ui/code-line.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Figures } from "../../ui/figures.tsx";
import { ReaderText } from "../../ui/reader-text.tsx";
import { Status } from "../../ui/status.tsx";
import { useRange } from "./range.ts";
import { useReport } from "./report.ts";
import { Downloads, ReportPage } from "./report-page.tsx";
import { ShareList } from "./share-list.tsx";
import { Show } from "./show.tsx";

const SHOWN_ANSWERS = 20;

export function SurveysPage() {
  const { query, range } = useRange();
  const path = `surveys?${query}`;
  const report = useReport<SurveyReport[]>(path);
  return (
    <ReportPage
      title="Surveys"
      report={report}
      lead="One question in the corner of the documentation, asked once of each reader who agreed to analytics."
      actions={<Downloads path={path} name={`surveys-${range.key}`} />}
    >
      <Show report={report} what="Surveys">
        {(surveys) =>
          surveys.length === 0 ? (
            <NoSurveys />
          ) : (
            surveys.map((survey) => <Survey key={survey.id} survey={survey} />)
          )
        }
      </Show>
    </ReportPage>
  );
}

function Survey({ survey }: { survey: SurveyReport }) {
  const { shown, dismissed } = survey;
  const shareOf = (count: number) => (shown > 0 ? formatShare(count, shown) : undefined);
  const answered = survey.counts.reduce((sum, each) => sum + each.count, 0) || survey.answers.length;
  return (
    <article className="section">
      <div className="section-header">
        <h2>{survey.question}</h2>
        <code className="subtle">{survey.id}</code>
        <span className="end">
          <Status
            state={survey.isActive ? "succeeded" : "canceled"}
            word={survey.isActive ? "Asked now" : "Not asked now"}
          />
        </span>
      </div>
      <Figures
        figures={[
          { label: "Shown", figure: formatCount(shown) },
          { label: "Answered", figure: formatCount(answered), note: shareOf(answered) },
          { label: "Dismissed", figure: formatCount(dismissed), note: shareOf(dismissed) },
        ]}
      />
      <div className="grid2">
        {(survey.counts.length > 0 || survey.answers.length === 0) && (
          <ShareList
            caption="Answers"
            head={["Answer", "Count"]}
            rows={survey.counts.map(({ answer, count }) => ({ name: answer, count }))}
            empty="No one has answered in this range."
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
    <section className="section">
      <h3>Latest answers</h3>
      <ul className="panel said">
        {shown.map((answer) => (
          <li key={`${answer.at}${answer.path}${answer.answer}`}>
            <p className="words">
              <ReaderText text={answer.answer} length={400} />
            </p>
            <p className="text-xs subtle">
              {formatDateTime(answer.at)}
              {answer.path && (
                <>
                  {", "}
                  <code>{answer.path}</code>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
      {answers.length > shown.length && (
        <div>
          <button className="btn" type="button" onClick={() => setIsAll(true)}>
            Show all {answers.length}
          </button>
        </div>
      )}
    </section>
  );
}

const SAMPLE = `telemetry: {
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
}`;

function NoSurveys() {
  return (
    <EmptyState title="No survey is defined">
      <p>
        Define the first survey in <code>site.config.ts</code>; its answers are counted here.
      </p>
      <CodeBlock name="site.config.ts" text={SAMPLE} />
    </EmptyState>
  );
}
