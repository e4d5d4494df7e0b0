/** Conversions between the accounts' values and messages. */
import { type Timestamp, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import type { Page } from "#accounts/index.ts";

/** @param time milliseconds since 1970; null: absent */
export const toTimestamp = (time: number | null): Timestamp | undefined =>
  time === null ? undefined : timestampFromMs(time);

/** Milliseconds since 1970; undefined when it is absent. */
export const fromTimestamp = (time: Timestamp | undefined): number | undefined => time && timestampMs(time);

export const toNumber = (value: bigint | undefined): number | undefined =>
  value === undefined ? undefined : Number(value);

/** A message's fields for one page of a list. */
export const toItems = <Item, Message>(
  { items }: Page<Item>,
  toMessage: (item: Item) => Message,
): Message[] => items.map(toMessage);
