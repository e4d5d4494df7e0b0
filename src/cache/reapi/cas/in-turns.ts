import { nextTurnOf } from "#platform/fair/work-gate.ts";
import { CallOverError } from "#platform/grpc/call-waits.ts";
import { BATCH_AT_ONCE, BATCH_TURN_BYTES, ITEM_BYTES } from "../calls/limits.ts";

/**
 * Answers in the order of the items, of which few are processed at the same time, and few are begun in one turn of the event
 * loop.
 * @param sizes of the items, in bytes
 * @param isGone whether no client waits for the answers any more
 * @throws CallOverError, and the first error of `run`, after which nothing is begun; nothing is in progress any more
 */
export async function inTurns<Item, Answer>(
  items: readonly Item[],
  { sizes, holder, isGone }: { sizes: readonly number[]; holder: string; isGone: () => boolean },
  run: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const errors: unknown[] = [];
  const waiting = items.entries();
  let turn: Promise<void> | undefined;
  let left = BATCH_TURN_BYTES;
  const isFull = (cost: number) => left < cost;
  const work = async () => {
    for (const [at, item] of waiting) {
      const cost = Math.min(BATCH_TURN_BYTES, ITEM_BYTES + (sizes[at] ?? 0));
      while (isFull(cost)) {
        turn ??= nextTurnOf(holder).then(() => {
          [turn, left] = [undefined, BATCH_TURN_BYTES];
        });
        await turn;
      }
      if (errors.length > 0 || isGone()) return;
      left -= cost;
      try {
        answers[at] = await run(item);
      } catch (error) {
        errors.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(BATCH_AT_ONCE, items.length) }, work));
  if (errors.length > 0) throw errors[0];
  if (isGone()) throw new CallOverError();
  return answers;
}
