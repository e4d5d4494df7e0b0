/**
 * Who reads what of an organization's events:
 *
 *   owners    everything
 *   others    who did what and the sentence of their own events and of changes of projects, their images and builds, and people
 *             those of refusals of project tokens; of all else only that something of this kind has changed, so that lists are read again
 *
 * What an organization's tokens are called is for owners.
 */
import { type Actor, isOwnerOf } from "../actor.ts";
import type { StoredEvent } from "./event-rows.ts";

/** What a reader gets. */
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
  /** A sentence without who did it; null: not for this reader. */
  text: string | null;
  refused: boolean;
}

/** Of base 36, for all numbers that are exact. */
const ID_DIGITS = 11;

/** Members and machines read it, whoever did it. */
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

/** Whether the reader may know the name of who did it. */
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
