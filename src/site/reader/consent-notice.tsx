import { useState } from "react";
import type { Choice } from "#telemetry/browser/choice.ts";
import { ChoiceSwitches } from "./choice-switches.tsx";
import { hideNotice, showNotice } from "./notice-store.ts";

const ID = "consent";
const NOTHING: Choice = { analytics: false, recording: false };

export interface ConsentQuestion {
  /** The choices that the operator asks for. */
  offered: Choice;
  /** The current choice; null before an answer. */
  choice: Choice | null;
  isRefused: boolean;
  /** Called with the answer. */
  onAnswer: (choice: Choice) => void;
}

/** The three switches, for a reader who opens them. The question itself is in `boot/ask.ts`. */
export function showChoices(question: ConsentQuestion): void {
  showNotice({
    id: ID,
    title: "Privacy choices",
    ...(question.isRefused && {
      text: "Your browser asks sites not to follow you. That counts as no here.",
    }),
    body: <ChoiceBody question={question} />,
    onDismiss: () => {},
  });
}

function ChoiceBody({ question }: { question: ConsentQuestion }) {
  const { offered, isRefused, onAnswer } = question;
  const [choice, setChoice] = useState(question.choice ?? NOTHING);
  const answer = (next: Choice) => {
    hideNotice(ID);
    onAnswer(next);
  };
  return (
    <>
      <ChoiceSwitches choice={choice} onChange={setChoice} offered={offered} isRefused={isRefused} />
      <div className="notice-actions">
        {!isRefused && <AnswerButton label="Accept all" onPress={() => answer(offered)} />}
        {!isRefused && <AnswerButton label="Necessary only" onPress={() => answer(NOTHING)} />}
        {!isRefused && <AnswerButton label="Save choices" onPress={() => answer(choice)} />}
        <a className="text-link" href="/your-data">
          Your data
        </a>
      </div>
    </>
  );
}

function AnswerButton({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <button className="btn btn-line btn-sm" type="button" onClick={onPress}>
      {label}
    </button>
  );
}
