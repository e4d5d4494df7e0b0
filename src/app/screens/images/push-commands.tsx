import { Link } from "react-router";
import type { Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { addressOf } from "../../page/places.ts";
import { CodeLine } from "../../ui/code-line.tsx";
import { CommandDialog } from "../../ui/command-dialog.tsx";

/** The project's repository in Docker's form: `build.acme.example/acme/web`. */
export const repositoryAddress = (organization: string, { name }: Pick<Project, "name">) =>
  `${location.host}/${organization}/${name}`;

/** Log in, tag, push. They never contain a secret. */
export function PushCommands({ project }: { project: Project }) {
  const { name: organization } = useOrganization();
  const image = `${repositoryAddress(organization, project)}:latest`;
  return (
    <>
      <CodeLine command={`docker login ${location.host} -u x-token`} />
      <p className="text-xs muted">
        The password is a token: <code>mr_user_</code>, <code>mr_org_</code>, or <code>mr_prj_</code> of this
        project.{" "}
        <Link className="link" to={addressOf(organization, "settings/tokens?new=1")}>
          Make a token
        </Link>
      </p>
      <CodeLine command={`docker tag ${project.name} ${image}`} />
      <CodeLine command={`docker push ${image}`} />
    </>
  );
}

export function PushDialog({ project, onClose }: { project: Project; onClose: () => void }) {
  return (
    <CommandDialog
      title={
        <>
          Push an image to <bdi>{project.name}</bdi>
        </>
      }
      documentation="/docs/registry/quickstart"
      onClose={onClose}
    >
      <div className="section push-commands">
        <PushCommands project={project} />
        <p className="text-xs muted">It appears here by itself.</p>
      </div>
    </CommandDialog>
  );
}
