import type { FormEvent } from "react";
import type { Project, TrustRelationship, TrustTest } from "#api/gen/json-types.ts";
import { useOpened } from "../../../data/use-opened.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { formatExchanges } from "./count-exchanges.ts";
import { findWidth } from "./too-wide.ts";
import { TrustFields } from "./trust-fields.tsx";
import type { TrustRow } from "./trust-rows.ts";
import { TrustTester } from "./trust-tester.tsx";
import { useTrustForm } from "./use-trust-form.ts";

interface Props {
  /** Absent for a new relationship. */
  row: TrustRow | undefined;
  projects: readonly Project[];
  refusedKey: string | undefined;
  onRefused: (test: TrustTest | null) => void;
  /** Called with its current key. */
  onSaved: (key: string) => void;
  /** Deleted: nothing is selected any more. */
  onDeleted: () => void;
  onClose: () => void;
}

export function TrustForm(props: Props) {
  const { projects, refusedKey, onRefused, onClose } = props;
  const state = useTrustForm(props);
  const { form, row, project, relationship, error, claimErrors } = state;
  const deletion = useOpened("do");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void state.save();
  };
  const title = row ? `Edit ${row.name}` : "New relationship";
  return (
    <form className="panel" aria-label={title} noValidate onSubmit={submit}>
      <div className="panel-header">
        <h2 className="clip" title={title}>
          <bdi>{title}</bdi>
        </h2>
        <button className="icon-button small end" type="button" aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      <div className="panel-body section">
        <TrustFields {...{ form, projects, claimErrors, error }} isNew={!row} />
        <Width relationship={relationship} />
        <TrustTester
          projectId={form.draft.projectId}
          project={project?.name ?? "this project"}
          {...{ relationship, refusedKey, onRefused }}
        />
        <NotSaved {...state} />
        <Buttons isBusy={state.isBusy} onClose={onClose} onDelete={row && (() => deletion.open("delete"))} />
      </div>
      {row && deletion.value === "delete" && (
        <Deletion row={row} onConfirm={state.remove} onClose={deletion.close} />
      )}
    </form>
  );
}

/** Warns about other jobs that it lets in. */
function Width({ relationship }: { relationship: TrustRelationship }) {
  const width = findWidth(relationship);
  if (!width) return null;
  return (
    <output className={width.isOpen ? "note bad" : "note warn"}>
      <Icon name="triangleAlert" />
      <div>
        <b>{width.title}</b> {width.text}
      </div>
    </output>
  );
}

type NotSavedProps = Pick<ReturnType<typeof useTrustForm>, "error" | "isConflict" | "saveAgain" | "clear">;

/** The typed text is kept: it is saved in addition to the other change, or compared first. */
function NotSaved({ error, isConflict, saveAgain, clear }: NotSavedProps) {
  if (!error) return null;
  return (
    <div className="note bad" role="alert">
      <Icon name="circleAlert" />
      <div>
        <b>{isConflict ? "Someone else saved first." : "It was not saved."}</b> {error.message}
        {isConflict && (
          <p className="row wrap">
            What you typed is still here. If they changed this relationship, saving yours keeps both.
            <button className="btn" type="button" onClick={() => void saveAgain()}>
              Save mine too
            </button>
            <button className="btn bare" type="button" onClick={clear}>
              Look first
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

interface ButtonsProps {
  isBusy: boolean;
  onClose: () => void;
  /** Absent for a new relationship. */
  onDelete: (() => void) | undefined;
}

function Buttons({ isBusy, onClose, onDelete }: ButtonsProps) {
  return (
    <div className="row">
      {onDelete && (
        <button className="btn danger" type="button" onClick={onDelete}>
          Delete…
        </button>
      )}
      <span className="end row">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <button className="btn action" type="submit" aria-busy={isBusy} disabled={isBusy}>
          Save
        </button>
      </span>
    </div>
  );
}

interface DeletionProps {
  row: TrustRow;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}

function Deletion({ row: { name, project, count }, onConfirm, onClose }: DeletionProps) {
  return (
    <ConfirmDialog
      title={
        <>
          Delete <bdi>{name}</bdi>?
        </>
      }
      confirm="Delete it"
      cancel="Keep it"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        Its jobs get no token for {project.name} from now on
        {count &&
          count.given > 0 &&
          `: ${formatExchanges(count.given, count.isCut)} of them got one in the last seven days`}
        . Job tokens issued earlier stay valid until their jobs end.
      </p>
    </ConfirmDialog>
  );
}
