import { Note } from "./gate.tsx";
import type { Work } from "./use-work.ts";

interface Props {
  work: Work;
  /** What did not happen. */
  title: string;
}

/** Why; what is wrong with one field stands below that field. */
export function WorkFailure({ work: { failure }, title }: Props) {
  if (!failure || failure.field) return null;
  return (
    <Note kind="bad" title={title} isAlert>
      {failure.message}
    </Note>
  );
}
