import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { SiteLink } from "../../../ui/site-link.tsx";
import { adoptStyles } from "../adopt-styles.ts";
import styles from "./answer.css?inline";
import {
  type Answer,
  isRunning,
  type Place,
  readAnswer,
  type Sentence,
  type Source,
  WAITING,
} from "./read-answer.ts";

adoptStyles(styles);

interface QuestionAnswerProps {
  question: string;
  /** Its name and its host, separated by a space; null: the server no longer has one. */
  model: string | null;
}

/** Offers an answer to a question of three words or more. */
export function QuestionAnswer({ question, model }: QuestionAnswerProps) {
  const [name = "", host = ""] = model?.split(" ") ?? [];
  if (name === "" || !/\S\s+\S+\s+\S/.test(question)) return null;
  return <Offer key={question} question={question} name={name} host={host} />;
}

/** Shows the answer while the model writes it. One button asks and stops, so that it keeps the focus. */
function Offer({ question, name, host }: { question: string; name: string; host: string }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);
  const isWriting = answer !== null && isRunning(answer);

  const ask = () => {
    running.current = new AbortController();
    setAnswer(WAITING);
    void readAnswer(question, running.current.signal, setAnswer);
  };
  const stop = () => {
    running.current?.abort();
    setAnswer((now) => now && { ...now, state: "stopped" });
  };
  const stopOnEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !isWriting) return;
    // Otherwise it would also close the search.
    event.preventDefault();
    stop();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the key works at its button and links
    <section className="model-answer" aria-label="Answer" onKeyDown={stopOnEscape}>
      <button className="btn btn-line btn-sm" type="button" onClick={isWriting ? stop : ask}>
        {isWriting ? "Stop" : answer ? "Answer again" : "Answer this question"}
      </button>
      {!answer && (
        <p className="answer-note">
          Your question goes to {host}, for the model {name} to answer. It gets nothing else about you.
        </p>
      )}
      <div aria-live="polite" aria-busy={isWriting}>
        {answer && <AnswerText answer={answer} />}
      </div>
      {answer && answer.sentences.length > 0 && (
        <>
          <Sources sentences={answer.sentences} />
          <p className="answer-note">
            Written by {name} from these pages. Check the sources.
            {answer.unsaid > 0 && ` ${leftOut(answer.unsaid)}`}
          </p>
        </>
      )}
    </section>
  );
}

const leftOut = (count: number) =>
  count === 1
    ? "One sentence without support in them was left out."
    : `${count} sentences without support in them were left out.`;

function AnswerText({ answer: { state, sentences, pages, message } }: { answer: Answer }) {
  return (
    <>
      {state === "waiting" && <p>Reading the pages…</p>}
      {state === "slow" && <p>The model is taking its time. The search results are below.</p>}
      {sentences.length > 0 && (
        <p>
          {sentences.map((sentence) => (
            <Cited key={sentence.text} {...sentence} />
          ))}
        </p>
      )}
      {state === "stopped" && <p>Stopped.</p>}
      {state === "failed" && <p>{message}</p>}
      {state === "unknown" && (
        <>
          <p>
            I do not know: the documentation does not answer this question.
            {pages.length > 0 && " The nearest pages:"}
          </p>
          {pages.length > 0 && (
            <ul>
              {pages.map((page) => (
                <li key={page.url}>
                  <PlaceLink {...page} />
                </li>
              ))}
            </ul>
          )}
        </>
      )}
    </>
  );
}

function Cited({ text, sources }: Sentence) {
  return (
    <span>
      {text.split(/`([^`]*)`/).map((part, at) =>
        // Parts of a sentence have no identity but their position, and never change.
        // oxlint-disable-next-line react/no-array-index-key
        at % 2 === 1 ? <code key={at}>{part}</code> : part,
      )}
      {sources.map((source) => (
        <SiteLink
          className="answer-cite"
          key={source.number}
          to={source.url}
          aria-label={`Source ${source.number}: ${nameOf(source)}`}
        >
          {source.number}
        </SiteLink>
      ))}{" "}
    </span>
  );
}

function Sources({ sentences }: { sentences: readonly Sentence[] }) {
  const sources = new Map<number, Source>();
  for (const sentence of sentences) for (const source of sentence.sources) sources.set(source.number, source);
  return (
    <ol aria-label="Sources">
      {[...sources.values()]
        .sort((one, other) => one.number - other.number)
        .map((source) => (
          <li key={source.number}>
            <PlaceLink {...source} />
          </li>
        ))}
    </ol>
  );
}

const nameOf = ({ title, section }: Place) => (section ? `${title} › ${section}` : title);

function PlaceLink(place: Place) {
  return <SiteLink to={place.url}>{nameOf(place)}</SiteLink>;
}
