import { useReducer, type FormEvent } from "react";
import { track } from "../tracked-events.ts";
import { announce } from "#ui/announce.ts";
import { Icon } from "../ui/icon.tsx";
import { nextFeedback, type Answer } from "./feedback-state.ts";

const THANKS = "Thanks. We read every answer.";
const QUESTIONS: { [answer in Answer]: string } = { yes: "What helped?", no: "What was missing?" };

/** The answer that says what the line means. */
const RAN_MEANS = "/docs/faq#are-the-commands-on-these-pages-tested";

interface FeedbackProps {
  /** Date of the last change, `YYYY-MM-DD`. */
  updated?: string | undefined;
  /** The commit and the date at which the page's commands ran: `4be92d1f 2026-11-29`. */
  ran?: string | undefined;
  /** Stores an answer. Rejects with a message for the reader if it was not stored. `text` may be empty. */
  onSend: (answer: Answer, text: string) => Promise<void>;
}

/** "Was this page helpful?" Use the page's path as `key`, so that every page asks again. */
export function Feedback({ updated, ran, onSend }: FeedbackProps) {
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
        Was this page helpful?
      </h2>
      {state.status === "sent" ? (
        <p>{THANKS}</p>
      ) : (
        <div className="feedback-btns js-only">
          <AnswerButton answer="yes" chosen={"answer" in state && state.answer} onAnswer={dispatch} />
          <AnswerButton answer="no" chosen={"answer" in state && state.answer} onAnswer={dispatch} />
        </div>
      )}
      <PageDates updated={updated} ran={ran} />
      {"answer" in state && (
        <form onSubmit={(event) => void send(event)}>
          <label className="field">
            {QUESTIONS[state.answer]}
            <textarea name="text" maxLength={2000} />
          </label>
          {state.status === "failed" ? (
            <p className="failed">
              {state.reason} <button className="text-link">Try again</button>
            </p>
          ) : (
            <button className="btn btn-line btn-sm" aria-busy={state.status === "sending"}>
              <Icon
                name={state.status === "sending" ? "loader-circle" : "arrow-right"}
                className={state.status === "sending" ? "spin" : ""}
              />
              <span>Send</span>
            </button>
          )}
        </form>
      )}
    </section>
  );
}

/** When the page changed, and when its commands ran. */
function PageDates({ updated, ran }: Pick<FeedbackProps, "updated" | "ran">) {
  if (!updated && !ran) return null;
  return (
    <p className="updated">
      {updated && `Last updated ${formatDate(updated)}`}
      {ran && <a href={RAN_MEANS}>{describeRun(ran)}</a>}
    </p>
  );
}

interface AnswerButtonProps {
  answer: Answer;
  chosen: Answer | false;
  onAnswer: (event: { type: "answer"; answer: Answer }) => void;
}

function AnswerButton({ answer, chosen, onAnswer }: AnswerButtonProps) {
  return (
    <button
      className="btn btn-line btn-sm"
      type="button"
      aria-pressed={chosen === answer}
      onClick={() => onAnswer({ type: "answer", answer })}
    >
      <Icon name={answer === "yes" ? "thumbs-up" : "thumbs-down"} />
      <span>{answer === "yes" ? "Yes" : "No"}</span>
    </button>
  );
}

/** `4be92d1f 2026-11-29` → "Commands ran on 4be92d1f, 29 November 2026". */
function describeRun(ran: string): string {
  const [commit, date = ""] = ran.split(" ");
  return `Commands ran on ${commit}, ${formatDate(date)}`;
}

const MONTHS = "January,February,March,April,May,June,July,August,September,October,November,December".split(
  ",",
);

/** `2026-11-14` → "14 November 2026". A formatter of `Intl` would be the longest task of a start (decision 072). */
function formatDate(date: string): string {
  const [year, month, day] = date.split("-").map(Number);
  return `${day} ${MONTHS[(month ?? 0) - 1]} ${year}`;
}
