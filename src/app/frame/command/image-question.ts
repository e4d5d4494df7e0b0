/** Which images a text in the command menu means: `acme/web:main`, `web:ma`, a digest, a tag. */
import type { Project } from "#api/gen/json-types.ts";

export interface ImageQuestion {
  projectId: string;
  project: string;
  /** The beginning of a tag, a digest or a commit. */
  query: string;
}

/** Shorter texts would find too much. */
const MIN_CHARACTERS = 4;

interface Known {
  organization: string;
  projects: readonly Pick<Project, "id" | "name">[];
  /** The project whose images were viewed last: a text without a project is searched there. */
  usedId: string | null;
}

/** @returns null: no image is meant */
export function readImageQuestion(
  text: string,
  { organization, projects, usedId }: Known,
): ImageQuestion | null {
  const typed = text.trim();
  if (typed.length < MIN_CHARACTERS || /[\s>?]/.test(typed)) return null;
  const named = /^(?:([^/:@]+)\/)?([^/:@]+)[:@](.*)$/.exec(typed);
  if (named && !/^sha(?:256|512)$/.test(named[2] ?? "")) {
    const [, of, name, query = ""] = named;
    const project = projects.find((each) => each.name === name);
    return project && (of === undefined || of === organization)
      ? { projectId: project.id, project: project.name, query }
      : null;
  }
  const used = projects.find(({ id }) => id === usedId);
  return used && !typed.includes("/") ? { projectId: used.id, project: used.name, query: typed } : null;
}
