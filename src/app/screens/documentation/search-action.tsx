import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import type { SearchAction, SearchActionResult } from "#telemetry/index.ts";
import { CallError } from "../../data/call.ts";
import { cutText } from "../../format.ts";
import { CopyIconButton } from "../../ui/copy-icon-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { DiffView } from "./diff-view.tsx";
import { sendAction } from "./report.ts";
import { readAction } from "./search-action-form.ts";
import type { SearchKind } from "./search-kinds.ts";

interface Props {
  kind: SearchKind;
  query: string;
  onClose: () => void;
}

type State =
  { step: "asking"; error: string; isBusy: boolean } | { step: "done"; result: SearchActionResult };

/** A small form, then its result: the file that was written, or a patch to apply. */
export function SearchActionDialog({ kind, query, onClose }: Props) {
  const [state, setState] = useState<State>({ step: "asking", error: "", isBusy: false });
  const form = useId();
  const first = useRef<HTMLInputElement>(null);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const action = readAction(kind.key, query, new FormData(event.currentTarget));
    if ("problem" in action) {
      setState({ step: "asking", error: action.problem, isBusy: false });
      return;
    }
    setState({ step: "asking", error: "", isBusy: true });
    setState(await send(action));
  };

  if (state.step === "done")
    return (
      <Dialog
        title={kind.action}
        onClose={onClose}
        isWide
        footer={<ResultFooter result={state.result} onClose={onClose} />}
      >
        <Result result={state.result} />
      </Dialog>
    );
  return (
    <Dialog
      title={kind.action}
      onClose={onClose}
      initialFocus={first}
      footer={
        <>
          <button className="btn" type="button" onClick={onClose}>
            Cancel
          </button>
          <button className="btn act" type="submit" form={form} disabled={state.isBusy}>
            {kind.action}
          </button>
        </>
      }
    >
      <form id={form} className="sec" onSubmit={(event) => void submit(event)} noValidate>
        <p className="xs muted">
          For the search <mark>{cutText(query, 120)}</mark>
        </p>
        <Fields kind={kind} query={query} first={first} />
        {state.error && (
          <p className="xs t-fail" role="alert">
            {state.error}
          </p>
        )}
      </form>
    </Dialog>
  );
}

async function send(action: SearchAction): Promise<State> {
  try {
    return { step: "done", result: await sendAction<SearchActionResult>("searches/actions", action) };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { step: "asking", error: error.message, isBusy: false };
  }
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
          hint="Words of the documentation; several with commas. They are synonyms both ways."
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
            <select className="in" name="within" defaultValue="1" {...control}>
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

interface TextFieldProps {
  name: string;
  label: string;
  value?: string;
  placeholder?: string;
  hint?: string;
  input?: RefObject<HTMLInputElement | null>;
}

function TextField({ name, label, value, placeholder, hint, input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint}>
      {(control) => (
        <input
          className="in"
          ref={input}
          name={name}
          defaultValue={value}
          placeholder={placeholder}
          maxLength={400}
          autoComplete="off"
          {...control}
        />
      )}
    </Field>
  );
}

const patchName = ({ file }: SearchActionResult) => `${file.replaceAll(/[^\w.-]+/g, "-")}.patch`;

function Result({ result }: { result: SearchActionResult }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <div className="sec">
      <h3 ref={title} tabIndex={-1}>
        {result.isWritten ? "Written to " : "A patch for "}
        <code>{result.file}</code>
      </h3>
      <p className="xs muted">
        {result.isWritten
          ? "Look at the change, then commit it. The development server takes it up by itself or after its next start."
          : "The running site changes nothing of itself: apply the patch in the repository, then deploy."}
      </p>
      <DiffView patch={result.patch} />
      {!result.isWritten && (
        <p className="xs muted">
          <code>git apply {patchName(result)}</code>
        </p>
      )}
    </div>
  );
}

function ResultFooter({ result, onClose }: { result: SearchActionResult; onClose: () => void }) {
  const close = (
    <button className="btn" type="button" onClick={onClose}>
      Close
    </button>
  );
  if (result.isWritten) return close;
  return (
    <>
      {close}
      <CopyIconButton text={result.patch} label="Copy the patch" />
      <a
        className="btn"
        download={patchName(result)}
        href={`data:text/x-patch;charset=utf-8,${encodeURIComponent(result.patch)}`}
      >
        <Icon name="download" />
        Download patch
      </a>
    </>
  );
}
