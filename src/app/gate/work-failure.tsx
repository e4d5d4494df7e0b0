import { Note } from "./gate.tsx";
import type { Work } from "./use-work.ts";

/** Fields of forms; their errors stand below them. */
const FIELDS: readonly (string | undefined)[] = ["organization", "name", "mail"];

interface Props {
  work: Work;
  /** The action that failed. */
  title: string;
  /** Whether the page has a form with these fields. */
  hasFields?: boolean;
}

/** The reason for the failure. */
export function WorkFailure({ work: { failure }, title, hasFields = false }: Props) {
  if (!failure || (hasFields && FIELDS.includes(failure.field))) return null;
  return (
    <Note kind="bad" title={title} isAlert>
      {failure.message}
    </Note>
  );
}
