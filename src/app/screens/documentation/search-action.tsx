import { type RefObject, useRef } from "react";
import { cutText } from "../../format.ts";
import { Field } from "../../ui/field.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { readAction } from "./search-action-form.ts";
import type { SearchKind } from "./search-kinds.ts";
import { TextField } from "./text-field.tsx";

interface Props {
  kind: SearchKind;
  query: string;
  onClose: () => void;
}

/** An action on one search. */
export function SearchActionDialog({ kind, query, onClose }: Props) {
  const first = useRef<HTMLInputElement>(null);
  return (
    <ActionDialog
      title={kind.action}
      about={
        <>
          For the search <mark>{cutText(query, 120)}</mark>
        </>
      }
      first={first}
      read={(form) => readAction(kind.key, query, form)}
      canTry={kind.key !== "top"}
      onClose={onClose}
    >
      <Fields kind={kind} query={query} first={first} />
    </ActionDialog>
  );
}

interface FieldsProps {
  kind: SearchKind;
  query: string;
  first: RefObject<HTMLInputElement | null>;
}

function Fields({ kind, query, first }: FieldsProps) {
  if (kind.key === "no-hits")
    return (
      <>
        <TextField name="word" label="The reader's word" value={query} />
        <TextField
          name="same"
          label="Means the same as"
          placeholder="kubernetes, cluster"
          hint="Words of the documentation, separated by commas. Synonyms work both ways."
          input={first}
        />
      </>
    );
  return (
    <>
      <TextField
        name="path"
        label={kind.key === "top" ? "The page that answers it" : "Readers should go to"}
        placeholder="/docs/cache/overview"
        hint="A path of the documentation, with an #anchor if a section answers it."
        input={first}
      />
      {kind.key === "top" && (
        <Field label="It must be">
          {(control) => (
            <select className="input" name="within" defaultValue="1" {...control}>
              <option value="1">the first hit</option>
              <option value="3">among the first 3</option>
              <option value="5">among the first 5</option>
            </select>
          )}
        </Field>
      )}
    </>
  );
}
