import type { ReactNode } from "react";

interface Props {
  /** "No projects yet". */
  title: ReactNode;
  children?: ReactNode;
}

/** Nothing yet, not found, not allowed: why, and a command or a link that goes on. */
export function EmptyState({ title, children }: Props) {
  return (
    <div className="panel empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
