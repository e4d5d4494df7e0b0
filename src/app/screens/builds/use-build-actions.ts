import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useNavigate } from "react-router";
import type { Build } from "#api/gen/json-types.ts";
import { useAddress } from "../../data/address.ts";
import { useOrganization } from "../../data/organization.ts";
import type { PageAction } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { siblingsQuery } from "./build-queries.ts";
import { buildAgainCommand, isOver } from "./build-words.ts";

/** Builds of the same branch, before and after this one. */
export function useNeighbours(build: Build): { previous: Build | undefined; next: Build | undefined } {
  const { name } = useOrganization();
  const { data = [] } = useQuery(siblingsQuery(name, build));
  const at = data.findIndex(({ id }) => id === build.id);
  return at < 0 ? { previous: undefined, next: undefined } : { previous: data[at + 1], next: data[at - 1] };
}

interface Input {
  build: Build;
  isDone: boolean;
  ask: (question: string) => void;
}

/** The page's keys and commands, and its breadcrumbs. */
export function useBuildActions({ build, isDone, ask }: Input) {
  const { name } = useOrganization();
  const { change } = useAddress();
  const navigate = useNavigate();
  const { previous, next } = useNeighbours(build);
  const { project, branch } = build;
  const [previousId, nextId] = [previous?.id, next?.id];
  const isRunning = !isOver(build);
  const command = buildAgainCommand(build);
  const actions = useMemo<PageAction[]>(() => {
    const go = (id: string) => void navigate(addressOf(name, `builds/${id}`));
    const of = branch ? `build of ${branch}` : `build of ${project}`;
    return [
      { label: "Build again", icon: "rotate", shortcut: "R", command, run: () => ask("again") },
      ...(isRunning
        ? [{ label: "Cancel build", icon: "circleX", run: () => ask("cancel") } satisfies PageAction]
        : []),
      {
        label: "Go to the log",
        icon: "fileText",
        shortcut: "L",
        run: () => {
          if (isDone) return change({ tab: "log" });
          document.querySelector<HTMLElement>('[role="log"]')?.focus();
        },
      },
      ...(previousId ? [action(`Previous ${of}`, "[", () => go(previousId))] : []),
      ...(nextId ? [action(`Next ${of}`, "]", () => go(nextId))] : []),
    ];
  }, [name, navigate, branch, project, command, isRunning, isDone, previousId, nextId, ask, change]);
  const above = useMemo(
    () => [
      { label: "Builds", to: addressOf(name, "builds") },
      { label: project, to: addressOf(name, `projects/${encodeURIComponent(project)}`) },
    ],
    [name, project],
  );
  return { actions, above };
}

const action = (label: string, shortcut: string, run: () => void): PageAction => ({
  label,
  icon: "container",
  shortcut,
  run,
});
