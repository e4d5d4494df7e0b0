import { useEffect, useRef, useState, type FormEvent } from "react";
import type { SearchAction, SearchActionResult } from "#telemetry/index.ts";
import { ReportError, sendAction } from "../data/ask.ts";
import { cutText } from "../format.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { Icon } from "../ui/icon.tsx";
import { DiffView } from "../ui/diff-view.tsx";
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
  const dialog = useRef<HTMLDialogElement>(null);
  const [state, setState] = useState<State>({ step: "asking", error: "", isBusy: false });
  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLInputElement>("input:is([name='same'], [name='path'])")?.focus();
  }, []);

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

  return (
    <dialog ref={dialog} className="dialog" aria-labelledby="action-title" onClose={onClose}>
      <div className="dialog-head">
        <h2 id="action-title">{kind.action}</h2>
        <button className="icon-btn" type="button" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="x" />
        </button>
      </div>
      {state.step === "done" ? (
        <Result result={state.result} />
      ) : (
        <form onSubmit={(event) => void submit(event)} noValidate>
          <p className="note">
            For the search <bdi className="query">{cutText(query, 120)}</bdi>
          </p>
          <Fields kind={kind} query={query} />
          {state.error && (
            <p className="field-error" role="alert">
              {state.error}
            </p>
          )}
          <div className="dialog-end">
            <button className="btn btn-line" type="button" onClick={() => dialog.current?.close()}>
              Cancel
            </button>
            <button className="btn btn-action" type="submit" disabled={state.isBusy} aria-busy={state.isBusy}>
              {kind.action}
            </button>
          </div>
        </form>
      )}
    </dialog>
  );
}

async function send(action: SearchAction): Promise<State> {
  try {
    return { step: "done", result: await sendAction<SearchActionResult>("searches/actions", action) };
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    return { step: "asking", error: error.message, isBusy: false };
  }
}

function Fields({ kind, query }: { kind: SearchKind; query: string }) {
  if (kind.key === "no-hits")
    return (
      <>
        <TextField name="word" label="The reader's word" value={query} />
        <TextField
          name="same"
          label="Means the same as"
          placeholder="kubernetes, cluster"
          hint="Words of the documentation; several with commas. They are synonyms both ways."
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
      />
      {kind.key === "top" && (
        <label className="input-field">
          <span>It must be</span>
          <select name="within" defaultValue="1">
            <option value="1">the first hit</option>
            <option value="3">among the first 3</option>
            <option value="5">among the first 5</option>
          </select>
        </label>
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
}

function TextField({ name, label, value, placeholder, hint }: TextFieldProps) {
  return (
    <label className="input-field">
      <span>{label}</span>
      <input name={name} defaultValue={value} placeholder={placeholder} maxLength={400} autoComplete="off" />
      {hint && <small>{hint}</small>}
    </label>
  );
}

function Result({ result }: { result: SearchActionResult }) {
  const title = useRef<HTMLParagraphElement>(null);
  useEffect(() => title.current?.focus(), []);
  const name = `${result.file.replaceAll(/[^\w.-]+/g, "-")}.patch`;
  return (
    <div className="action-result">
      <p className="notice-title" ref={title} tabIndex={-1}>
        {result.isWritten ? (
          <>
            Written to <code>{result.file}</code>
          </>
        ) : (
          <>
            A patch for <code>{result.file}</code>
          </>
        )}
      </p>
      <p className="note">
        {result.isWritten
          ? "Look at the change, then commit it. The development server takes it up by itself or after its next start."
          : "The running site changes nothing of itself: apply the patch in the repository, then deploy."}
      </p>
      <DiffView patch={result.patch} />
      {!result.isWritten && (
        <>
          <p className="note">
            <code>git apply {name}</code>
          </p>
          <div className="dialog-end">
            <CopyButton text={result.patch} />
            <a
              className="btn btn-line btn-sm"
              download={name}
              href={`data:text/x-patch;charset=utf-8,${encodeURIComponent(result.patch)}`}
            >
              <Icon name="download" />
              Download patch
            </a>
          </div>
        </>
      )}
    </div>
  );
}
