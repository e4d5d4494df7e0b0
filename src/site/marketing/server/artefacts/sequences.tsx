/** One thing after another: an agent's transcript, the steps of a way. */
import { Icon } from "../../../ui/icon.tsx";
import type { ArtefactOf } from "../schema.ts";
import { Note } from "./note.tsx";

export function Transcript({ prompt, steps, note }: ArtefactOf<"transcript">) {
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
      <Note text={note} />
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
