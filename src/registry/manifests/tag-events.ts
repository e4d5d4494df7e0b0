/** Events for pushes and deletes: a tag that is pushed all the time is reported once a minute. */
import { addRoomEvents, type RoomEvent } from "#accounts/index.ts";
import { MAX_TOLD, TOLD_EVERY_MS } from "../contract/limits.ts";
import type { RegistryParts } from "../contract/parts.ts";
import type { Grant } from "../contract/registry.ts";
import type { RegistryTransaction } from "../contract/schema.ts";

export interface TagEvents {
  /** Writes one event for each tag that was not reported lately. */
  pushed(transaction: RegistryTransaction, grant: Grant, tags: readonly string[]): Promise<void>;
  /** @param names tags, or digests */
  deleted(transaction: RegistryTransaction, grant: Grant, names: readonly string[]): Promise<void>;
  /** Call it after the transaction. */
  tell(grant: Grant, pushed?: readonly string[]): void;
}

export function createTagEvents({ accounts, database, clock }: RegistryParts): TagEvents {
  const told = new Map<string, number>();
  const keyOf = ({ repository }: Grant, tag: string) => `${repository.id} ${tag}`;
  const add = async (
    transaction: RegistryTransaction,
    { repository, actor }: Grant,
    events: readonly Pick<RoomEvent, "kind" | "text">[],
  ) => {
    const { organizationId, projectId } = repository;
    // No user pushed pulled-through content.
    if (projectId === null) return;
    const rest = { organizationId, projectId, subject: projectId };
    const shared = { kind: database.kind, time: clock() };
    await addRoomEvents(shared, transaction, {
      actor,
      events: events.map((event) => ({ ...event, ...rest })),
    });
  };
  const isNew = (key: string) => Math.abs(clock() - (told.get(key) ?? -TOLD_EVERY_MS)) >= TOLD_EVERY_MS;
  return {
    pushed(transaction, grant, tags) {
      const text = (tag: string) => `${grant.repository.name}:${tag} pushed`;
      const events = tags
        .filter((tag) => isNew(keyOf(grant, tag)))
        .map((tag) => ({ kind: "image.push", text: text(tag) }));
      return add(transaction, grant, events);
    },
    deleted(transaction, grant, names) {
      const events = names.map((name) => ({ kind: "image.delete", text: `${shown(grant, name)} deleted` }));
      return add(transaction, grant, events);
    },
    tell(grant, pushed = []) {
      for (const tag of pushed) {
        const key = keyOf(grant, tag);
        if (!isNew(key)) continue;
        told.delete(key);
        told.set(key, clock());
        // A Map iterates in insertion order.
        if (told.size > MAX_TOLD) told.delete(told.keys().next().value!);
      }
      accounts.events.wake();
    },
  };
}

/** `acme/web:1.4`, `acme/web@sha256:6d1f0c98a2b7` */
const shown = ({ repository: { name } }: Grant, reference: string) =>
  reference.includes(":")
    ? `${name}@${reference.slice(0, reference.indexOf(":") + 13)}`
    : `${name}:${reference}`;
