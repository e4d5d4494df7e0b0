import type { ReactNode } from "react";
import { Ago } from "./ago.tsx";
import { Icon } from "./icon.tsx";

export interface ChecklistStep {
  key: string;
  title: string;
  /** Absent: not done yet. */
  done?: { at: string; found: ReactNode };
  text: ReactNode;
  /** Commands, links. */
  body?: ReactNode;
  /** "the first request of the CLI"; shown while the step is the next one. */
  waitsFor: string;
}

/** Water runs down to the step that is next. */
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
          <span className="dot">{step.done ? <Icon name="check" className="sm" /> : index + 1}</span>
          <h2>{step.title}</h2>
          {step.done ? (
            <p className="row gap12">
              <span className="found">{step.done.found}</span>
              <Ago at={step.done.at} />
            </p>
          ) : (
            <>
              <p>{step.text}</p>
              {step.body}
              {index === next && <output className="waiting">Waiting for {step.waitsFor}</output>}
            </>
          )}
        </li>
      ))}
    </ol>
  );
}
