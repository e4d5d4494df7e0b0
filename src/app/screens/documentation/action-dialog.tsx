import { type FormEvent, type ReactNode, type RefObject, useId, useRef, useState } from "react";
import type { SearchAction, SearchActionResult, SearchTrial } from "#telemetry/index.ts";
import { CallError } from "../../data/call.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { FormButtons } from "../../ui/form-buttons.tsx";
import { ActionResult, ResultFooter } from "./action-result.tsx";
import { sendAction } from "./report.ts";
import { TrialView } from "./trial-view.tsx";

interface Props {
  /** The action: "Add a synonym". */
  title: string;
  /** The subject of the action. */
  about: ReactNode;
  first: RefObject<HTMLInputElement | null>;
  /** The fields. */
  children: ReactNode;
  /** The action that the form describes, or its error. */
  read: (form: FormData) => SearchAction | { problem: string };
  /** Whether it can be tried before it is saved. */
  canTry: boolean;
  onClose: () => void;
}

interface Asking {
  error: string;
  isBusy: boolean;
  trial: SearchTrial | null;
}

const ASKING: Asking = { error: "", isBusy: false, trial: null };

/** The sent action, and its result. */
function useAction(read: Props["read"]) {
  const form = useRef<HTMLFormElement>(null);
  const [result, setResult] = useState<SearchActionResult | null>(null);
  const [asking, setAsking] = useState<Asking>(ASKING);

  const send = async (step: "actions" | "try") => {
    if (!form.current) return;
    const action = read(new FormData(form.current));
    if ("problem" in action) {
      setAsking({ ...ASKING, error: action.problem });
      return;
    }
    setAsking({ ...ASKING, isBusy: true });
    try {
      if (step === "try")
        setAsking({ ...ASKING, trial: await sendAction<SearchTrial>("searches/try", action) });
      else setResult(await sendAction<SearchActionResult>("searches/actions", action));
    } catch (cause) {
      if (!(cause instanceof CallError)) throw cause;
      setAsking({ ...ASKING, error: cause.message });
    }
  };

  return { form, result, send, ...asking };
}

/** A small form, then its result: the file that was written, or a patch to apply. */
export function ActionDialog({ title, about, first, children, read, canTry, onClose }: Props) {
  const { form, result, send, error, isBusy, trial } = useAction(read);
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send("actions");
  };
  if (result)
    return (
      <Dialog title={title} onClose={onClose} isWide footer={<ResultFooter {...{ result, onClose }} />}>
        <ActionResult result={result} />
      </Dialog>
    );
  const footer = (
    <>
      {canTry && (
        <button className="btn" type="button" disabled={isBusy} onClick={() => void send("try")}>
          Try it
        </button>
      )}
      <FormButtons form={id} isBusy={isBusy} onClose={onClose}>
        {title}
      </FormButtons>
    </>
  );
  return (
    <Dialog
      title={title}
      onClose={onClose}
      initialFocus={first}
      isWide={trial?.kind === "hits"}
      footer={footer}
    >
      <form id={id} ref={form} className="section" onSubmit={submit} noValidate>
        <p className="text-xs muted">{about}</p>
        {children}
        {error && (
          <p className="text-xs text-fail" role="alert">
            {error}
          </p>
        )}
        {trial && <TrialView trial={trial} />}
      </form>
    </Dialog>
  );
}
