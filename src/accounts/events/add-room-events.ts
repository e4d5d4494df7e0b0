import type { DatabaseKind } from "#platform/database/columns.ts";
import type { Actor } from "../contract/actor.ts";
import type { AccountTransaction } from "../records/schema.ts";
import { addEvents } from "./add-events.ts";
import { cutText } from "./cut-text.ts";

/** An event that another room reports to readers of the stream. */
export interface RoomEvent {
  /** `image.push`; `visible-event.ts` says who reads it. */
  kind: string;
  organizationId: string;
  projectId: string;
  subject: string;
  /** A sentence without its author. */
  text: string;
}

/** The author, where the caller no longer exists. */
export interface EventAuthor {
  name: string;
  /** `usr_…` or `tok_…`. */
  id: string;
}

/** Adds events in the transaction of the room's own change. Afterwards, `accounts.events.wake()` sends them immediately. */
export async function addRoomEvents(
  { kind, time }: { kind: DatabaseKind; time: number },
  transaction: AccountTransaction,
  { actor, events }: { actor: Actor | EventAuthor; events: readonly RoomEvent[] },
): Promise<void> {
  const author = { actor: actor.name, actor_id: idOf(actor) };
  const rows = events.map((event) => ({
    organization_id: event.organizationId,
    time,
    kind: event.kind,
    subject: event.subject,
    project_id: event.projectId,
    ...author,
    text: cutText(event.text),
    is_refused: 0 as const,
  }));
  await addEvents(kind, transaction, rows);
}

function idOf(actor: Actor | EventAuthor): string {
  if ("id" in actor) return actor.id;
  return actor.kind === "user" ? actor.userId : actor.tokenId;
}
