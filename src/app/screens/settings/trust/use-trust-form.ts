import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Project } from "#api/gen/json-types.ts";
import { CallError } from "../../../data/call.ts";
import { useOrganization } from "../../../data/organization.ts";
import { useAction } from "../../../data/use-action.ts";
import { nameRelationship } from "./providers.ts";
import { saveTrust } from "./save-trust.ts";
import { keyOf, type TrustRow } from "./trust-rows.ts";
import { findClaimErrors, toRelationship, useTrustDraft } from "./use-trust-draft.ts";

interface Input {
  /** Absent for a new relationship. */
  row: TrustRow | undefined;
  projects: readonly Project[];
  /** Called with its current key. */
  onSaved: (key: string) => void;
  /** Nothing is selected any more. */
  onDeleted: () => void;
}

/** A relationship's edit form: the typed values, and the change of its project's list. */
export function useTrustForm({ row: shown, projects, onSaved, onDeleted }: Input) {
  const { name: organization } = useOrganization();
  const client = useQueryClient();
  const form = useTrustDraft(shown, projects[0]?.id ?? "");
  const { draft } = form;
  const project = projects.find(({ id }) => id === draft.projectId);
  // State when the form was opened, or last saved: a change by someone else becomes a conflict, not a surprise.
  const [row, setRow] = useState(shown);
  const read = useRef<Project | undefined>(row?.project);
  const [claimErrors, setClaimErrors] = useState<ReadonlyMap<number, string>>(new Map());
  const { isBusy, error, run, clear } = useAction();
  const relationship = toRelationship(draft);
  const refresh = () => client.invalidateQueries({ queryKey: ["projects", organization] });
  const save = async (isAgain = false) => {
    const errors = findClaimErrors(draft.claims);
    setClaimErrors(errors);
    const base = isAgain || read.current?.id !== draft.projectId ? project : read.current;
    if (errors.size > 0 || !base) return;
    await run(async () => {
      const former = row?.relationship;
      const saved = await saveTrust({ organization, project: base, former, next: relationship });
      read.current = saved.project;
      if (row) setRow({ ...row, relationship, name: nameRelationship(relationship) });
      await refresh();
      onSaved(keyOf(base.id, saved.position));
    });
  };
  const remove = async () => {
    if (project) await saveTrust({ organization, project, former: row?.relationship, next: null });
    onDeleted();
    await refresh();
  };
  return {
    form,
    row,
    project,
    relationship,
    claimErrors,
    isBusy,
    error,
    isConflict: error instanceof CallError && error.code === "failed_precondition",
    clear,
    save: () => save(),
    /** On top of the other person's change. */
    saveAgain: () => refresh().then(() => save(true)),
    remove,
  };
}
