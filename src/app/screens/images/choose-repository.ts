import type { ImageRepository, Project } from "#api/gen/json-types.ts";

/** The project used last, else the one pushed to last, else the first; null: there are no projects. */
export function chooseRepository(
  projects: readonly Pick<Project, "id" | "name">[],
  repositories: readonly Pick<ImageRepository, "name" | "pushed_at">[],
  usedId: string | null,
): string | null {
  const used = projects.find(({ id }) => id === usedId);
  const pushed = repositories.toSorted((one, other) => timeOf(other) - timeOf(one))[0];
  return (used ?? pushed ?? projects[0])?.name ?? null;
}

const timeOf = ({ pushed_at: at }: Pick<ImageRepository, "pushed_at">) => Date.parse(at ?? "") || 0;
