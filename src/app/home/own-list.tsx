import type { ReactNode } from "react";
import { Name, Note } from "../gate/gate.tsx";
import { type Asked, useWork } from "../gate/use-work.ts";
import { WorkFailure } from "../gate/work-failure.tsx";

export interface OwnItem {
  id: string;
  name: string;
  /** When and where. */
  detail: string;
  /** The browser in which this page is. */
  isCurrent?: boolean;
}

interface Props {
  title: string;
  /** Said of an empty list. */
  none: string;
  asked: Asked<readonly OwnItem[]>;
  /** "Delete", "End" */
  verb: string;
  onEnd: (item: OwnItem) => Promise<void>;
  children?: ReactNode;
}

/** A list of what belongs to the person: each can be ended. */
export function OwnList({ title, none, asked, verb, onEnd, children }: Props) {
  const work = useWork();
  const id = title.toLowerCase().replaceAll(" ", "-");
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {asked.status === "failed" && (
        <div>
          <Note kind="bad" title="This list cannot be read.">
            {asked.error.message}
          </Note>
        </div>
      )}
      {asked.status === "ready" && asked.data.length === 0 && <p className="fine">{none}</p>}
      {asked.status === "ready" && asked.data.length > 0 && (
        <ul className="own">
          {asked.data.map((item) => (
            <li key={item.id}>
              <span>
                <span className="strong">
                  <Name>{item.name}</Name>
                </span>
                <span className="fine">{item.isCurrent ? "this browser" : item.detail}</span>
              </span>
              {!item.isCurrent && (
                <button
                  className="btn btn-line btn-sm"
                  type="button"
                  aria-label={`${verb} ${item.name}`}
                  aria-busy={work.busy === item.id}
                  onClick={() => void work.run(item.id, () => onEnd(item))}
                >
                  {verb}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {(work.failure || children) && (
        <div className="stack">
          <WorkFailure work={work} title="It is still there." />
          {children}
        </div>
      )}
    </section>
  );
}
