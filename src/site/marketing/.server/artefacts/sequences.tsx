/** Sequences: an agent's transcript, or numbered steps. */
import { Icon } from "../../../ui/icon.tsx";
import { BrandMark } from "../marks.tsx";
import type { ArtefactOf } from "../artefact-schema.ts";
import { Note } from "./note.tsx";

export function Transcript({ prompt, steps, marks, note }: ArtefactOf<"transcript">) {
  return (
    <>
      <ol className="agent">
        <li className="a-user">{prompt}</li>
        {steps.map((step) => (
          <li key={step.text} className={step.isOk ? "a-tool is-ok" : "a-tool"}>
            <Icon name={step.icon} />
            <code>{step.text}</code>
            <span>{step.result}</span>
          </li>
        ))}
      </ol>
      <div className="with">
        {marks.map(({ brand }) => (
          <BrandMark key={brand} brand={brand} />
        ))}
        <Note text={note} />
      </div>
    </>
  );
}

export function Steps({ steps }: ArtefactOf<"steps">) {
  return (
    <ol className="track">
      {steps.map((step) => (
        <li key={step.term}>
          <strong>{step.term}</strong>
          <span>{step.text}</span>
        </li>
      ))}
    </ol>
  );
}
