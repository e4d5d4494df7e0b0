import type { ReactNode } from "react";

interface Props {
  /** Names the content, for keyboard users. */
  label: string;
  className?: string;
  children: ReactNode;
}

/** Content that is too wide scrolls in its own frame, which the keyboard must be able to reach. */
export function ScrollFrame({ label, className = "table-frame", children }: Props) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section className={className} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
