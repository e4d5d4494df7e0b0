import {
  describeWord,
  explainHit,
  type ExplainableHit,
  type ExplainedHit,
  type ExplainedRule,
} from "#platform/text/explain-hit.ts";
import { cssVariables } from "../../../ui/css-variables.ts";
import { ReaderText } from "../../../ui/reader-text.tsx";
import { formatNumber } from "../../../numbers.ts";
import { pathOf, trailOf } from "./hits.ts";

const SCORE = { least: 3, most: 3 };

interface Props {
  hits: readonly ExplainableHit[];
  query: string;
}

export function ExplainedHits({ hits, query }: Props) {
  return (
    <ol className="panel frames explained">
      {hits.map((hit, index) => (
        <Hit key={`${String(hit["objectID"])} ${index}`} {...{ hit, query, index }} />
      ))}
    </ol>
  );
}

function Hit({ hit, query, index }: { hit: ExplainableHit; query: string; index: number }) {
  const explained = explainHit(hit, query);
  const path = pathOf(hit);
  return (
    <li>
      <details open={index === 0}>
        <summary>
          <span className="explained-hit">
            <b>
              {index + 1}. <ReaderText text={trailOf(hit) || path} length={160} />
            </b>
            <span className="mono subtle">{path}</span>
          </span>
          {explained.score !== null && (
            <span className="number">
              <span className="vh">Score </span>
              {formatNumber(explained.score, SCORE)}
            </span>
          )}
        </summary>
        <div className="explained-why">
          <Words words={explained.words} />
          <Rules rules={explained.rules} place={index + 1} />
          <Fields fields={explained.fields} />
          <a className="link" href={path}>
            Open the page<span className="vh"> of hit {index + 1}</span>
          </a>
        </div>
      </details>
    </li>
  );
}

function Words({ words }: Pick<ExplainedHit, "words">) {
  if (words.length === 0)
    return <p className="muted">No word matched in the record itself, only in its page.</p>;
  return (
    <ul className="explained-words" aria-label="Matched words">
      {words.map((word) => (
        <li key={word.word}>
          <mark>
            <ReaderText text={word.word} length={40} />
          </mark>{" "}
          <span>
            {describeWord(word)}, in <span className="mono">{word.fields.join(", ")}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}

function Rules({ rules, place }: { rules: ExplainedRule[]; place: number }) {
  if (rules.length === 0)
    return <p className="muted">The server gave no details: this hit was found but not ranked further.</p>;
  const heaviest = Math.max(...rules.map(({ weight }) => weight ?? 1));
  return (
    <table className="shares" aria-label={`Ranking rules of hit ${place}`}>
      <thead>
        <tr>
          <th scope="col">Rule</th>
          <th scope="col">Score</th>
          <th scope="col">Weight</th>
          <th scope="col">Adds</th>
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <tr key={rule.name}>
            <th scope="row">
              <code>{rule.name}</code> <span className="muted">{rule.meaning}</span>
              {rule.rest && <span className="subtle"> {rule.rest}</span>}
              {rule.score !== null && <Bar score={rule.score} share={(rule.weight ?? 1) / heaviest} />}
            </th>
            <td className="number">{figure(rule.score)}</td>
            <td className="number subtle">{figure(rule.weight)}</td>
            <td className="number">
              {figure(rule.score !== null && rule.weight !== null ? rule.score * rule.weight : null)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const figure = (value: number | null) => (value === null ? "–" : formatNumber(value, SCORE));

/** The length is the rule's weight, the filled part its score; the figures are next to it. */
function Bar({ score, share }: { score: number; share: number }) {
  return (
    <span className="channel thin flat" style={cssVariables({ "--share": share })} aria-hidden="true">
      {score > 0 && <i style={cssVariables({ "--n": score })} />}
      <i className="unfilled" style={cssVariables({ "--n": 1 - score })} />
    </span>
  );
}

function Fields({ fields }: Pick<ExplainedHit, "fields">) {
  return (
    <details className="explained-record">
      <summary>The record as it is indexed</summary>
      <dl className="key-values">
        {fields.map(({ name, text }) => (
          <Field key={name} name={name} text={text} />
        ))}
      </dl>
    </details>
  );
}

function Field({ name, text }: { name: string; text: string }) {
  return (
    <>
      <dt className="mono">{name}</dt>
      <dd className="words">
        <bdi>{text}</bdi>
      </dd>
    </>
  );
}
