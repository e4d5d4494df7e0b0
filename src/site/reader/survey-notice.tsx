import type { FormEvent } from "react";
import {
  markSurveySeen,
  surveyResponse,
  type Survey,
  type SurveyQuestion,
} from "#telemetry/browser/surveys.ts";
import { announce } from "#ui/announce.ts";
import { hideNotice, showNotice } from "./notice-store.ts";

const ID = "survey";

/** Asks a survey's first question; after an answer or when closed, it is not asked again. */
export function showSurvey(survey: Survey, capture: (name: string, properties: object) => void): void {
  const question = survey.questions[0];
  if (!question) return;
  const about = { $survey_id: survey.id, $survey_name: survey.name };
  markSurveySeen(survey.id);
  capture("survey shown", about);
  showNotice({
    id: ID,
    title: question.question,
    ...(question.description && { text: question.description }),
    body: (
      <SurveyForm
        question={question}
        onAnswer={(response) => {
          hideNotice(ID);
          capture("survey sent", surveyResponse(survey, response));
          announce("Thanks. We read every answer.");
        }}
      />
    ),
    onDismiss: () => capture("survey dismissed", about),
  });
}

function SurveyForm({
  question,
  onAnswer,
}: {
  question: SurveyQuestion;
  onAnswer: (response: string) => void;
}) {
  if (question.type === "single_choice")
    return (
      <div className="notice-actions">
        {question.choices?.map((choice) => (
          <button key={choice} className="btn btn-line btn-sm" type="button" onClick={() => onAnswer(choice)}>
            {choice}
          </button>
        ))}
      </div>
    );
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const response = String(new FormData(event.currentTarget).get("response") ?? "").trim();
    if (response) onAnswer(response);
  };
  return (
    <form className="notice-form" onSubmit={send}>
      <textarea name="response" aria-label={question.question} maxLength={2000} required rows={3} />
      <button className="btn btn-line btn-sm">Send</button>
    </form>
  );
}
