import { nextTurnOf } from "#platform/fair/work-gate.ts";
import { BATCH_AT_ONCE, BATCH_TURN_BYTES, ITEM_BYTES } from "./limits.ts";

/**
 * Answers in the order of the items, of which few are worked on at once, and few are begun in one turn of the event loop.
 * @param sizes of the items, in bytes
 */
export async function inTurns<Item, Answer>(
  items: readonly Item[],
  { sizes, holder }: { sizes: readonly number[]; holder: string },
  run: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
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
        // oxlint-disable-next-line no-await-in-loop -- several of these loops run
        await turn;
      }
      left -= cost;
      // oxlint-disable-next-line no-await-in-loop -- as above
      answers[at] = await run(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(BATCH_AT_ONCE, items.length) }, work));
  return answers;
}
