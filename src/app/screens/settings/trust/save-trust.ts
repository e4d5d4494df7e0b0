import type { Project, TrustRelationship } from "#api/gen/json-types.ts";
import { call } from "../../../data/call.ts";
import { isSameRelationship } from "./trust-rows.ts";

interface Save {
  organization: string;
  /** The project when the form was opened, or as read again after a conflict. */
  project: Project;
  /** The former relationship; absent for a new one. */
  former: TrustRelationship | undefined;
  /** Null removes it. */
  next: TrustRelationship | null;
}

/**
 * Sends the project's whole list with one changed entry, and the revision that was read.
 * @returns the project, and the relationship's position in its list
 * @throws CallError `failed_precondition` when someone else has changed the project since
 */
export async function saveTrust(save: Save): Promise<{ project: Project; position: number }> {
  const { organization, project, former, next } = save;
  const list = [...project.trust_relationships];
  const found = former ? list.findIndex((each) => isSameRelationship(each, former)) : -1;
  const position = found >= 0 ? found : list.length;
  if (next) list.splice(position, found >= 0 ? 1 : 0, next);
  else if (found >= 0) list.splice(found, 1);
  const { id: project_id, revision } = project;
  const answer = await call(
    "ProjectService/Update",
    list.length === 0
      ? { project_id, revision, clear_trust_relationships: true }
      : { project_id, revision, trust_relationships: list },
    { organization },
  );
  return { project: answer.project ?? project, position };
}
