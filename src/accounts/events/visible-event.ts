/**
 * What each reader sees of an organization's events:
 *
 *   owners    everything
 *   others    author and sentence of their own events and of changes of projects, their images and builds; people also those of
 *             refusals of project tokens; of all other events only the kind, so that lists are read again
 *
 * Only owners see the names of an organization's tokens.
 */
import { type Actor, isOwnerOf } from "../contract/actor.ts";
import type { StoredEvent } from "../contract/events.ts";

/** An event as a reader gets it. */
export interface VisibleEvent {
  /** Sorts as a text. */
  id: string;
  /** RFC 3339. */
  at: string;
  kind: string;
  subject: string | null;
  project: string | null;
  by: string | null;
  by_id: string | null;
  /** A sentence without its author; null: not for this reader. */
  text: string | null;
  refused: boolean;
}

/** Base-36 digits of the largest exact integer. */
const ID_DIGITS = 11;

/** Members and machines read these, whoever did them. */
const isOfProject = (kind: string) => /^(?:project|image|build)\./.test(kind);
/** Members may list the tokens of projects; machines list none. */
const REFUSED_PROJECT_TOKEN = "refused.project";
const isTokenId = (id: string) => id.startsWith("tok_");

export function isFullyVisible(event: StoredEvent, actor: Actor): boolean {
  const { kind } = event;
  return (
    isOfProject(kind) || isOwnOrOwners(event, actor) || (kind === REFUSED_PROJECT_TOKEN && isPerson(actor))
  );
}

function isOwnOrOwners({ organizationId, actorId }: StoredEvent, actor: Actor): boolean {
  if (actor.kind !== "user") return actorId === actor.tokenId;
  return actorId === actor.userId || isOwnerOf(actor, organizationId);
}

const isPerson = ({ kind }: Actor) => kind === "user";

/** Whether the reader may know the author's name. */
function mayKnowAuthor(event: StoredEvent, actor: Actor): boolean {
  return !isOfProject(event.kind) || !isTokenId(event.actorId) || isOwnOrOwners(event, actor);
}

export function showEvent(event: StoredEvent, actor: Actor): VisibleEvent {
  const isFull = isFullyVisible(event, actor);
  const isNamed = isFull && mayKnowAuthor(event, actor);
  return {
    id: event.id.toString(36).padStart(ID_DIGITS, "0"),
    at: new Date(event.time).toISOString(),
    kind: event.kind,
    subject: isFull ? event.subject : null,
    project: event.projectId,
    by: isNamed ? event.actor : isFull ? "an organization token" : null,
    by_id: isNamed ? event.actorId : null,
    text: isFull ? event.text : null,
    refused: event.isRefused,
  };
}
