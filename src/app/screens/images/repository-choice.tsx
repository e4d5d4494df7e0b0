import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import type { ImageRepository, Project } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { formatBytes } from "../../format.ts";
import { addressOf } from "../../page/places.ts";
import { Icon } from "../../ui/icon.tsx";
import { Menu } from "../../ui/menu.tsx";
import { Segmented } from "../../ui/segmented.tsx";
import { repositoriesQuery } from "./image-queries.ts";

/** More projects, or longer names, become a menu with a search. */
const SIDE_BY_SIDE = 4;
const SHORT_NAME = 16;

/** Projects with images, with their sizes; always includes the current one. */
export function RepositoryChoice({ project }: { project: Project }) {
  const { name: organization } = useOrganization();
  const navigate = useNavigate();
  const { data: repositories = [] } = useQuery(repositoriesQuery(organization));
  const choices = choicesOf(repositories, project);
  const go = (name: string) =>
    void navigate(addressOf(organization, `images/${encodeURIComponent(name)}`), {
      preventScrollReset: true,
    });
  if (choices.length < 2) return null;
  if (choices.length <= SIDE_BY_SIDE && choices.every(({ name }) => name.length <= SHORT_NAME))
    return (
      <div className="image-choice">
        <Segmented
          label="Repository"
          options={choices.map(({ name, stored_bytes: bytes }) => ({
            value: name,
            label: (
              <>
                {name} <span className="number">{formatBytes(Number(bytes))}</span>
              </>
            ),
          }))}
          value={project.name}
          onChange={go}
        />
      </div>
    );
  return (
    <Menu
      label={`Repository ${project.name}, change`}
      className="btn image-repository"
      search="Find a repository"
      items={choices.map(({ name, stored_bytes: bytes }) => ({
        key: name,
        label: <bdi className="clip">{name}</bdi>,
        text: name,
        note: formatBytes(Number(bytes)),
        isChosen: name === project.name,
        run: () => go(name),
      }))}
    >
      <bdi className="clip">{project.name}</bdi>
      <Icon name="chevronsUpDown" className="small" />
    </Menu>
  );
}

type Choice = Pick<ImageRepository, "name" | "stored_bytes">;

function choicesOf(repositories: readonly ImageRepository[], { id, name }: Project): Choice[] {
  const isThere = repositories.some(({ project_id }) => project_id === id);
  return isThere ? [...repositories] : [{ name, stored_bytes: "0" }, ...repositories];
}
