import { useState } from "react";
import type { Choice } from "#telemetry/browser/choice.ts";
import { ChoiceSwitches } from "./choice-switches.tsx";
import { hideNotice, showNotice } from "./notice-store.ts";

const ID = "consent";
const NOTHING: Choice = { analytics: false, recording: false };

export interface ConsentQuestion {
  /** What the operator would like to have. */
  offered: Choice;
  /** The choice that holds; null before an answer. */
  choice: Choice | null;
  isRefused: boolean;
  /** Called with the answer. */
  onAnswer: (choice: Choice) => void;
}

/** The question, asked once: nothing waits for its answer, and no answer means no. */
export function askForConsent(question: ConsentQuestion): void {
  showNotice({
    id: ID,
    title: "May we see how these pages are used?",
    text: textFor(question.offered),
    body: <ConsentBody question={question} isChoosing={false} />,
  });
}

/** The three switches at once: the reader has asked for them. */
export function showChoices(question: ConsentQuestion): void {
  showNotice({
    id: ID,
    title: "Privacy choices",
    ...(question.isRefused && {
      text: "Your browser asks sites not to follow you. That counts as no here.",
    }),
    body: <ConsentBody question={question} isChoosing />,
    onDismiss: () => {},
  });
}

function textFor({ analytics, recording }: Choice): string {
  const counted = analytics && "count pages, searches and clicks";
  const recorded = recording && "record how a page is used, without what you type";
  return `We would like to ${[counted, recorded].filter(Boolean).join(", and ")}. Nothing is kept or sent before you agree.`;
}

function ConsentBody({ question, isChoosing }: { question: ConsentQuestion; isChoosing: boolean }) {
  const { offered, isRefused, onAnswer } = question;
  const [isOpen, setOpen] = useState(isChoosing);
  const [choice, setChoice] = useState(question.choice ?? NOTHING);
  const answer = (next: Choice) => {
    hideNotice(ID);
    onAnswer(next);
  };
  return (
    <>
      {isOpen && (
        <ChoiceSwitches choice={choice} onChange={setChoice} offered={offered} isRefused={isRefused} />
      )}
      <div className="notice-actions">
        {!isRefused && <AnswerButton label="Accept all" onPress={() => answer(offered)} />}
        {!isRefused && <AnswerButton label="Necessary only" onPress={() => answer(NOTHING)} />}
        {isOpen ? (
          !isRefused && <AnswerButton label="Save choices" onPress={() => answer(choice)} />
        ) : (
          <button className="text-link" type="button" aria-expanded={false} onClick={() => setOpen(true)}>
            Choose…
          </button>
        )}
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
