import { type ReactNode, useId } from "react";

interface Props {
  title: string;
  lead?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

/** One panel of rows under its heading. */
export function Section({ title, lead, action, children }: Props) {
  const id = useId();
  return (
    <section className="sec" aria-labelledby={id}>
      <div className="sec-h">
        <h2 id={id}>{title}</h2>
        {action && <span className="end row">{action}</span>}
      </div>
      {lead && <p className="xs muted">{lead}</p>}
      <div className="panel">{children}</div>
    </section>
  );
}

interface RowProps {
  title: ReactNode;
  text?: ReactNode;
  /** At the row's end: actions, or a state. */
  children?: ReactNode;
}

export function SectionRow({ title, text, children }: RowProps) {
  return (
    <div className="setrow">
      <div>
        <h3>{title}</h3>
        {text && <p className="xs muted">{text}</p>}
      </div>
      <div>{children}</div>
    </div>
  );
}
