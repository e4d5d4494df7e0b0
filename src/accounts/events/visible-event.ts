/**
 * Who reads what of an organization's events:
 *
 *   owners    everything
 *   others    who did what and the sentence of their own events, of changes of projects, and of refusals of project tokens;
 *             of all else only that something of this kind has changed, so that lists are read again
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

/** What members may read, whoever did it. */
const FOR_MEMBERS = /^(?:project\.|refused\.project$)/;

export function isFullyVisible(event: StoredEvent, actor: Actor): boolean {
  const { organizationId, actorId, kind } = event;
  if (FOR_MEMBERS.test(kind)) return true;
  if (actor.kind !== "user") return actorId === actor.tokenId;
  return actorId === actor.userId || isOwnerOf(actor, organizationId);
}

export function showEvent(event: StoredEvent, actor: Actor): VisibleEvent {
  const isFull = isFullyVisible(event, actor);
  return {
    id: event.id.toString(36).padStart(ID_DIGITS, "0"),
    at: new Date(event.time).toISOString(),
    kind: event.kind,
    subject: isFull ? event.subject : null,
    project: event.projectId,
    by: isFull ? event.actor : null,
    by_id: isFull ? event.actorId : null,
    text: isFull ? event.text : null,
    refused: event.isRefused,
  };
}
