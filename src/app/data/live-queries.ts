/** Which lists a change invalidates, and reading them again: immediately, then at most once a second. */
import type { QueryClient } from "@tanstack/react-query";
import type { LiveEvent } from "./live-connection.ts";

/** The first part of a key of `queries.ts`. */
type Noun =
  | "audit"
  | "builds"
  | "cache"
  | "exchanges"
  | "first-run"
  | "images"
  | "invitations"
  | "members"
  | "organizations"
  | "passkeys"
  | "projects"
  | "tokens"
  | "two-step"
  | "usage";

/** Maps an event's kind, or the part before the point, to what it changes in addition to the audit log. */
const CHANGED = new Map<string, readonly Noun[]>(
  Object.entries({
    organization: ["organizations"],
    member: ["members", "organizations", "usage", "first-run"],
    invitation: ["invitations"],
    "invitation.accept": ["invitations", "members", "usage", "first-run"],
    image: ["images", "usage"],
    build: ["builds", "usage", "first-run"],
    // Repositories have the names of their projects, and are deleted with them.
    project: ["projects", "builds", "images", "tokens", "usage", "first-run"],
    "project.update": ["projects", "images"],
    "project.trust": ["projects", "exchanges"],
    token: ["tokens", "exchanges", "usage", "first-run"],
    user: ["members", "organizations"],
    passkey: ["passkeys", "two-step"],
    device: ["first-run"],
    "two-step": ["two-step", "members"],
    cache: ["cache", "usage"],
    "layer-cache": ["projects", "builds", "usage"],
  } satisfies Record<string, readonly Noun[]>),
);

/** Changes only the list of latest events. */
const isRefusalOnly = (kind: string) => kind.startsWith("refused.");

/** The nouns that a change invalidates. An unknown kind invalidates everything. */
export function nounsOf(kind: string): readonly Noun[] | "everything" {
  if (isRefusalOnly(kind)) return [];
  const [noun = ""] = kind.split(".");
  const nouns = CHANGED.get(kind) ?? CHANGED.get(noun);
  return nouns ? [...nouns, "audit"] : "everything";
}

const PAUSE_MS = 1_000;

export interface Invalidator {
  apply: (events: readonly Pick<LiveEvent, "kind">[]) => void;
  all: () => void;
  stop: () => void;
}

/** Reads visible data again; hidden data is read when it is shown. */
export function createInvalidator(
  client: Pick<QueryClient, "invalidateQueries">,
  after: (ms: number, run: () => void) => () => void,
): Invalidator {
  const due = new Set<string>();
  let isEverything = false;
  let cancelPause: (() => void) | null = null;

  function flush(): void {
    cancelPause = null;
    if (!isEverything && due.size === 0) return;
    const nouns = new Set(due);
    const all = isEverything;
    due.clear();
    isEverything = false;
    cancelPause = after(PAUSE_MS, flush);
    void client.invalidateQueries({ predicate: ({ queryKey: [noun] }) => all || nouns.has(String(noun)) });
  }

  return {
    apply(events) {
      for (const { kind } of events) {
        const nouns = nounsOf(kind);
        if (nouns === "everything") isEverything = true;
        else for (const noun of nouns) due.add(noun);
      }
      if (!cancelPause) flush();
    },
    all() {
      isEverything = true;
      if (!cancelPause) flush();
    },
    stop: () => cancelPause?.(),
  };
}
