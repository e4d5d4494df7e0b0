import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate } from "react-router";
import type { Project } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { useOrganization } from "../../data/organization.ts";
import { membersQuery, tokensQuery } from "../../data/queries.ts";
import { useOpened } from "../../data/use-opened.ts";
import { plural } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.ts";

/** The last row of a project's settings; `?do=delete` asks. */
export function DeleteProjectRow({ project }: { project: Project }) {
  const { isOwner } = useOrganization();
  const { value: asked, open, close } = useOpened("do");
  return (
    <div className="panel settings-panel settings-danger">
      <div className="setting-row">
        <div>
          <h2>Delete this project</h2>
          <p className="text-xs muted">
            {isOwner ? "With its images, tokens and trust relationships. There is no undo." : <WhoDeletes />}
          </p>
        </div>
        {isOwner && (
          <div>
            <button className="btn danger" type="button" onClick={() => open("delete")}>
              Delete…
            </button>
          </div>
        )}
      </div>
      {isOwner && asked === "delete" && <DeleteDialog project={project} onClose={close} />}
    </div>
  );
}

function WhoDeletes() {
  const { name } = useOrganization();
  const { data: members = [] } = useQuery(membersQuery(name));
  const owners = members.filter(({ role }) => role === "owner").map((member) => member.name);
  return (
    <>
      Owners delete projects. You are a member of {name}.{" "}
      {owners.length > 0 && (
        <bdi>
          {listNames(owners)} {owners.length === 1 ? "is its owner." : "are its owners."}
        </bdi>
      )}
    </>
  );
}

const MAX_NAMED = 3;
const conjunction = new Intl.ListFormat("en", { type: "conjunction" });

function listNames(names: readonly string[]): string {
  const rest = names.length - MAX_NAMED;
  return conjunction.format(rest > 0 ? [...names.slice(0, MAX_NAMED), `${rest} more`] : names);
}

function DeleteDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  const { name: organization } = useOrganization();
  const { data: tokens } = useQuery(tokensQuery(organization));
  const client = useQueryClient();
  const navigate = useNavigate();
  const own = tokens?.filter(({ project_id }) => project_id === project.id).length;
  const trusted = project.trust_relationships.length;
  const isDeleted = useRef(false);
  const remove = async () => {
    await call("ProjectService/Delete", { project_id: project.id }, { organization });
    isDeleted.current = true;
  };
  const leave = () => {
    void navigate(addressOf(organization, "projects"), { replace: true });
    for (const noun of ["projects", "tokens", "exchanges", "usage", "audit"])
      void client.invalidateQueries({ queryKey: [noun, organization] });
    showToast({ text: `${project.name} is deleted.` });
  };
  return (
    <ConfirmDialog
      title={`Delete the project ${project.name}?`}
      confirm={`Delete ${project.name}`}
      cancel="Keep it"
      typed={project.name}
      onConfirm={remove}
      onClose={() => (isDeleted.current ? leave() : onClose())}
    >
      <p>
        Its images are deleted. {own === undefined ? "Its tokens" : plural(own, "token")} and{" "}
        {plural(trusted, "trust relationship")} stop working now: anything that uses them is refused. The
        audit log keeps what happened. There is no undo.
      </p>
    </ConfirmDialog>
  );
}
