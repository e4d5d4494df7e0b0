import type { Attack } from "../attack.ts";
import { runKills } from "../kills.ts";

export const killedSwaps: Attack = {
  item: 6,
  name: "swaps that are killed",
  bound: "After a kill at any point both indexes are there, swapped whole or not at all.",
  run: (stage) => runKills(stage, "swaps"),
};
