import { Note } from "./gate.tsx";
import type { Work } from "./use-work.ts";

/** Of forms: what is wrong with one of them stands below it. */
const FIELDS: readonly (string | undefined)[] = ["organization", "name", "mail"];

interface Props {
  work: Work;
  /** What did not happen. */
  title: string;
  /** Whether the page has a form with these fields. */
  hasFields?: boolean;
}

/** Why. */
export function WorkFailure({ work: { failure }, title, hasFields = false }: Props) {
  if (!failure || (hasFields && FIELDS.includes(failure.field))) return null;
  return (
    <Note kind="bad" title={title} isAlert>
      {failure.message}
    </Note>
  );
}
