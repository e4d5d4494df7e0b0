import type { ReactNode } from "react";
import { Icon } from "../../ui/icon.tsx";

interface Props {
  /** The selected row's name. */
  title: ReactNode;
  onClose: () => void;
  children: ReactNode;
}

interface WithSideProps {
  /** Falsy: nothing is selected. */
  side: ReactNode;
  isWide?: boolean;
  children: ReactNode;
}

/** The table keeps its place in the tree, its focus and its scroll position when the side opens. */
export function WithSide({ side, isWide, children }: WithSideProps) {
  return (
    <div className={side ? `grid-side${isWide ? " wide-side" : ""}` : undefined}>
      <div className="beside">{children}</div>
      {side}
    </div>
  );
}

/** The details of the table's current row, next to it. */
export function SidePanel({ title, onClose, children }: Props) {
  return (
    <aside className="panel" aria-label="Details">
      <div className="panel-header">
        <h2 className="clip">{title}</h2>
        <button
          className="icon-button small end"
          type="button"
          aria-label="Close the details"
          onClick={onClose}
        >
          <Icon name="x" />
        </button>
      </div>
      <div className="panel-body section">{children}</div>
    </aside>
  );
}

/** Names and values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="key-values">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
