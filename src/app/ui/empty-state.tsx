import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

interface Props {
  /** "No projects yet". */
  title: ReactNode;
  icon?: IconName;
  children?: ReactNode;
}

/** Nothing yet, not found, not allowed: why, and a command or a link to continue. */
export function EmptyState({ title, icon, children }: Props) {
  return (
    <div className="panel empty">
      <h2 className="row">
        {icon && <Icon name={icon} />}
        <span>{title}</span>
      </h2>
      {children}
    </div>
  );
}
