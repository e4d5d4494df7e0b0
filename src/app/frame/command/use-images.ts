import { useQuery } from "@tanstack/react-query";
import { startTransition, useEffect, useMemo, useState } from "react";
import type { Image } from "#api/gen/json-types.ts";
import { call } from "../../data/call.ts";
import { useHere } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { addressOf } from "../../page/places.ts";
import { readRepository } from "../../screens/images/last-repository.ts";
import type { Entry } from "./entries.ts";
import { type ImageQuestion, readImageQuestion } from "./image-question.ts";

const PAUSE_MS = 120;
const FOUND = 6;
const NONE: readonly Entry[] = [];

/** Images that begin with the typed text. There are too many to load all of them. */
export function useImageEntries(text: string): readonly Entry[] {
  const { organization } = useHere();
  const name = organization?.name ?? "";
  const { data: projects } = useQuery({ ...projectsQuery(name), enabled: organization !== null });
  const question = useMemo(
    () =>
      organization && projects
        ? readImageQuestion(text, { organization: name, projects, usedId: readRepository(organization.id) })
        : null,
    [organization, name, projects, text],
  );
  const [found, setFound] = useState(NONE);
  useEffect(() => {
    if (!question) return;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const { projectId, query } = question;
      call(
        "ImageService/List",
        { project_id: projectId, query, page_size: FOUND },
        { organization: name, signal: abort.signal },
      ).then(
        ({ images }) =>
          startTransition(() => setFound(images.map((image) => entryOf(name, question, image)))),
        // The images page reports such errors.
        () => !abort.signal.aborted && setFound(NONE),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [question, name]);
  return question ? found : NONE;
}

function entryOf(organization: string, { project, query }: ImageQuestion, { tags, digest }: Image): Entry {
  const tag = tags.find((each) => each.startsWith(query)) ?? tags[0];
  const place = `images/${encodeURIComponent(project)}?tag=${encodeURIComponent(tag ?? digest)}`;
  return {
    key: `image ${project} ${tag ?? digest}`,
    group: "Images",
    label: `${organization}/${project}${tag ? `:${tag}` : `@${digest.slice(0, 19)}`}`,
    icon: "archive",
    note: digest.slice(digest.indexOf(":") + 1).slice(0, 8),
    id: digest,
    // For a commit, or a digest without its algorithm, only the server knows why it matches.
    words: ["", `${project}:`, `${project}@`, `${organization}/${project}:`, `${organization}/${project}@`]
      .map((start) => start + query)
      .join(" "),
    to: addressOf(organization, place),
  };
}
