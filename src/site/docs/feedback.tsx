import { useReducer, type FormEvent } from "react";
import { track } from "../tracked-events.ts";
import { announce } from "#ui/announce.ts";
import { Icon } from "../ui/icon.tsx";
import { nextFeedback, type Answer, type FeedbackState } from "./feedback-state.ts";
import { useWords } from "./use-words.ts";

const THANKS = "Thanks. We read every answer.";
const QUESTIONS: { [answer in Answer]: string } = { yes: "What helped?", no: "What was missing?" };

/** The answer that says what the line means. */
const RAN_MEANS = "/docs/faq#are-the-commands-on-these-pages-tested";

interface FeedbackProps {
  /** "Last updated 14 November 2026" */
  updated?: string | undefined;
  /** "Commands ran on 4be92d1f, 29 November 2026" */
  ran?: string | undefined;
  /** Stores an answer. Rejects with a message for the reader if it was not stored. `text` may be empty. */
  onSend: (answer: Answer, text: string) => Promise<void>;
}

/** "Was this page helpful?" Use the page's path as `key`, so that every page asks again. */
export function Feedback({ updated, ran, onSend }: FeedbackProps) {
  const { t } = useWords();
  const [state, dispatch] = useReducer(nextFeedback, { status: "asking" });

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!("answer" in state) || state.status === "sending") return;
    const text = String(new FormData(event.currentTarget).get("text") ?? "").trim();
    dispatch({ type: "send" });
    try {
      await onSend(state.answer, text);
      dispatch({ type: "sent" });
      track("feedback", { answer: state.answer });
      announce(THANKS);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "Not sent.";
      dispatch({ type: "failed", reason });
      announce(reason);
    }
  }

  return (
    <section className="feedback" aria-labelledby="feedback-heading">
      <h2 id="feedback-heading" className="js-only">
        {t("Was this page helpful?")}
      </h2>
      {state.status === "sent" ? (
        <p>{t(THANKS)}</p>
      ) : (
        <div className="feedback-btns js-only">
          <AnswerButton
            answer="yes"
            label={t("Yes")}
            chosen={"answer" in state && state.answer}
            onAnswer={dispatch}
          />
          <AnswerButton
            answer="no"
            label={t("No")}
            chosen={"answer" in state && state.answer}
            onAnswer={dispatch}
          />
        </div>
      )}
      {(updated || ran) && (
        <p className="updated">
          {updated}
          {ran && <a href={RAN_MEANS}>{ran}</a>}
        </p>
      )}
      {"answer" in state && (
        <form onSubmit={(event) => void send(event)}>
          <label className="field">
            {t(QUESTIONS[state.answer])}
            <textarea name="text" maxLength={2000} />
          </label>
          <FormEnd state={state} t={t} />
        </form>
      )}
    </section>
  );
}

/** The button, or what went wrong. */
function FormEnd({ state, t }: { state: FeedbackState } & Pick<ReturnType<typeof useWords>, "t">) {
  if (state.status === "failed")
    return (
      <p className="failed">
        {state.reason} <button className="text-link">{t("Try again")}</button>
      </p>
    );
  const isSending = state.status === "sending";
  return (
    <button className="btn btn-line btn-sm" aria-busy={isSending}>
      <Icon name={isSending ? "loader-circle" : "arrow-right"} className={isSending ? "spin" : ""} />
      <span>{t("Send")}</span>
    </button>
  );
}

interface AnswerButtonProps {
  answer: Answer;
  label: string;
  chosen: Answer | false;
  onAnswer: (event: { type: "answer"; answer: Answer }) => void;
}

function AnswerButton({ answer, label, chosen, onAnswer }: AnswerButtonProps) {
  return (
    <button
      className="btn btn-line btn-sm"
      type="button"
      aria-pressed={chosen === answer}
      onClick={() => onAnswer({ type: "answer", answer })}
    >
      <Icon name={answer === "yes" ? "thumbs-up" : "thumbs-down"} />
      <span>{label}</span>
    </button>
  );
}
