import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import type { Project, TrustTest } from "#api/gen/json-types.ts";
import { CallError } from "../../../data/call.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useAction } from "../../../data/use-action.ts";
import { useOpened } from "../../../data/use-opened.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { nameRelationship } from "./providers.ts";
import { saveTrust } from "./save-trust.ts";
import { findWidth } from "./too-wide.ts";
import { TrustFields } from "./trust-fields.tsx";
import { keyOf, type TrustRow } from "./trust-rows.ts";
import { TrustTester } from "./trust-tester.tsx";
import { findClaimErrors, toRelationship, useTrustDraft } from "./use-trust-draft.ts";

interface Props {
  /** Absent: a new one. */
  row: TrustRow | undefined;
  projects: readonly Project[];
  refusedKey: string | undefined;
  onRefused: (test: TrustTest | null) => void;
  /** Where it stands now. */
  onSaved: (key: string) => void;
  /** It is deleted: nothing is selected any more. */
  onDeleted: () => void;
  onClose: () => void;
}

export function TrustForm({
  row: shownRow,
  projects,
  refusedKey,
  onRefused,
  onSaved,
  onDeleted,
  onClose,
}: Props) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const deletion = useOpened("do");
  const form = useTrustDraft(shownRow, projects[0]?.id ?? "");
  const { draft } = form;
  const current = projects.find(({ id }) => id === draft.projectId);
  // What was read when the form was opened, or saved since: a change by somebody else is a conflict, not a surprise.
  const [row, setRow] = useState(shownRow);
  const read = useRef<Project | undefined>(row?.project);
  const [claimErrors, setClaimErrors] = useState<ReadonlyMap<number, string>>(new Map());
  const { isBusy, error, run, clear } = useAction();
  const relationship = toRelationship(draft);
  const width = findWidth(relationship);
  const isConflict = error instanceof CallError && error.code === "failed_precondition";
  const refresh = () => client.invalidateQueries({ queryKey: ["projects", organization] });
  const save = async (isAgain = false) => {
    const errors = findClaimErrors(draft.claims);
    setClaimErrors(errors);
    const project = isAgain || read.current?.id !== draft.projectId ? current : read.current;
    if (errors.size > 0 || !project) return;
    await run(async () => {
      const former = row?.relationship;
      const saved = await saveTrust({ organization, project, former, next: relationship });
      read.current = saved.project;
      if (row) setRow({ ...row, relationship, name: nameRelationship(relationship) });
      await refresh();
      onSaved(keyOf(project.id, saved.position));
    });
  };
  const remove = async () => {
    if (current) await saveTrust({ organization, project: current, former: row?.relationship, next: null });
    onDeleted();
    await refresh();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const title = row ? `Edit ${row.name}` : "New relationship";
  return (
    <form className="panel" aria-label={title} noValidate onSubmit={submit}>
      <div className="panel-h">
        <h2 className="clip" title={title}>
          <bdi>{title}</bdi>
        </h2>
        <button className="ib sm end" type="button" aria-label="Close" onClick={onClose}>
          <Icon name="x" />
        </button>
      </div>
      <div className="panel-b sec">
        <TrustFields form={form} projects={projects} isNew={!row} claimErrors={claimErrors} error={error} />
        {width && (
          <output className={width.isOpen ? "note bad" : "note warn"}>
            <Icon name="triangleAlert" />
            <div>
              <b>{width.title}</b> {width.text}
            </div>
          </output>
        )}
        <TrustTester
          projectId={draft.projectId}
          project={current?.name ?? "this project"}
          relationship={relationship}
          refusedKey={refusedKey}
          onRefused={onRefused}
        />
        {error && (
          <div className="note bad" role="alert">
            <Icon name="circleAlert" />
            <div>
              <b>{isConflict ? "Somebody else was faster." : "It was not saved."}</b> {error.message}
              {isConflict && (
                <Conflict onAgain={() => void refresh().then(() => save(true))} onClear={clear} />
              )}
            </div>
          </div>
        )}
        <div className="row">
          {row && (
            <button className="btn danger" type="button" onClick={() => deletion.open("delete")}>
              Delete…
            </button>
          )}
          <span className="end row">
            <button className="btn" type="button" onClick={onClose}>
              Cancel
            </button>
            <button className="btn act" type="submit" aria-busy={isBusy} disabled={isBusy}>
              Save
            </button>
          </span>
        </div>
      </div>
      {row && deletion.value === "delete" && (
        <ConfirmDialog
          title={
            <>
              Delete <bdi>{row.name}</bdi>?
            </>
          }
          confirm="Delete it"
          cancel="Keep it"
          onConfirm={remove}
          onClose={deletion.close}
        >
          <p>
            Its jobs get no token for {row.project.name} from now on
            {row.count.given > 0 && `: ${row.count.given} of them got one in the last seven days`}. Job tokens
            that were given before are valid until their jobs end.
          </p>
        </ConfirmDialog>
      )}
    </form>
  );
}

/** What was typed is kept: it is saved over the other change, or compared first. */
function Conflict({ onAgain, onClear }: { onAgain: () => void; onClear: () => void }) {
  return (
    <p className="row wrap">
      What you typed is still here. If they changed this relationship, saving yours keeps both.
      <button className="btn" type="button" onClick={onAgain}>
        Save mine, too
      </button>
      <button className="btn bare" type="button" onClick={onClear}>
        Look first
      </button>
    </p>
  );
}
