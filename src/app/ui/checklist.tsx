import type { ReactNode } from "react";
import { Ago } from "./ago.tsx";
import { Icon } from "./icon.tsx";

export interface ChecklistStep {
  key: string;
  title: string;
  /** Absent: not yet done. */
  done?: { at: string; found: ReactNode };
  text: ReactNode;
  /** Commands, links. */
  body?: ReactNode;
  /** "the first request of the CLI"; shown while the step is the next one. */
  waitsFor: string;
}

/** Water runs down to the next step. */
export function Checklist({ steps }: { steps: readonly ChecklistStep[] }) {
  const next = steps.findIndex((step) => !step.done);
  return (
    <ol className="todo">
      {steps.map((step, index) => (
        <li
          key={step.key}
          className={step.done ? "done" : index === next ? "now" : undefined}
          aria-current={index === next ? "step" : undefined}
        >
          <span className="dot" aria-hidden="true">
            {step.done ? <Icon name="check" className="small" /> : index + 1}
          </span>
          <h2>
            {step.title}
            {step.done && <span className="vh">, done</span>}
          </h2>
          {step.done ? <Done {...step.done} /> : <ToDo step={step} isNext={index === next} />}
        </li>
      ))}
    </ol>
  );
}

function Done({ at, found }: NonNullable<ChecklistStep["done"]>) {
  return (
    <p className="row gap12 wrap">
      <span className="found">{found}</span>
      <Ago at={at} />
    </p>
  );
}

function ToDo({ step, isNext }: { step: ChecklistStep; isNext: boolean }) {
  return (
    <>
      <p>{step.text}</p>
      {step.body}
      {/* In the document before it has text, so that the next step's text is announced. */}
      <output className="todo-wait">
        {isNext && <span className="waiting">Waiting for {step.waitsFor}</span>}
      </output>
    </>
  );
}
