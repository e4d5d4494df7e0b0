import type { PageQuestion } from "#docs/author/types.ts";
import type { ContentProblem } from "#docs/content/types.ts";
import { Count, Place, Problems } from "./page-checks.tsx";

interface PageQuestionsProps {
  questions: readonly PageQuestion[];
  problems: readonly ContentProblem[];
  path: string;
}

/** The questions of `tests/relevance` that this page answers, with its current place. */
export function PageQuestions({ questions, problems, path }: PageQuestionsProps) {
  const answered = questions.filter(({ isAnswered }) => isAnswered).length;
  return (
    <section aria-labelledby="author-questions">
      <h3 id="author-questions">
        Questions{" "}
        <Count isGood={answered === questions.length}>{`${answered} of ${questions.length} answered`}</Count>
      </h3>
      <Problems problems={problems} />
      {questions.length < 2 && (
        <p>
          {`Every page needs at least two: write what readers would type under ${path} in a file of tests/relevance.`}
        </p>
      )}
      <ul className="author-questions">
        {questions.map((question) => (
          <li key={`${question.file} ${question.query}`} data-answered={question.isAnswered}>
            <p>
              <q>{question.query}</q> {describePlace(question)}
            </p>
            <Place place={question.file} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function describePlace({ place, within, other, isAnswered }: PageQuestion): string {
  const wanted = within === 1 ? "first" : `within the first ${within}`;
  const comes = place > 0 ? `ranks ${ordinal(place)}` : "not found";
  const answered = isAnswered ? "✓" : "✗";
  return `${answered} ${comes}, wanted ${wanted}${other ? `; ${other} ranks before it` : ""}`;
}

export function ordinal(place: number): string {
  const ending = /1[123]$/.test(String(place)) ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th");
  return `${place}${ending}`;
}
