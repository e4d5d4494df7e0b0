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
    <section className="section" aria-labelledby={id}>
      <div className="section-header">
        <h2 id={id}>{title}</h2>
        {action && <span className="end row">{action}</span>}
      </div>
      {lead && <p className="text-xs muted">{lead}</p>}
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
    <div className="setting-row">
      <div>
        <h3>{title}</h3>
        {text && <p className="text-xs muted">{text}</p>}
      </div>
      <div>{children}</div>
    </div>
  );
}
