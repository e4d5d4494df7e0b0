/** This process's answers for each tool, for the operator's metrics. */
import type { Tool } from "../contract/tools.ts";

/** `refused`: the client's fault; `failed`: the server's; `cut`: the client left; `other`: neither a look-up nor an upload. */
export const OUTCOMES = ["hit", "miss", "stored", "refused", "failed", "cut", "other"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Traffic {
  count(tool: Tool, outcome: Outcome): void;
  /** Bytes of entries that came from clients. */
  receive(tool: Tool, bytes: number): void;
  /** Bytes of entries that went to clients. */
  send(tool: Tool, bytes: number): void;
  /** [tool, outcome] → requests */
  requests(): Iterable<readonly [readonly [Tool, Outcome], number]>;
  /** [tool, `in` or `out`] → bytes */
  bytes(): Iterable<readonly [readonly [Tool, "in" | "out"], number]>;
}

export function createTraffic(): Traffic {
  const counts = new Map<Tool, Record<Outcome, number>>();
  const received = new Map<Tool, number>();
  const sent = new Map<Tool, number>();
  const add = (sums: Map<Tool, number>, tool: Tool, bytes: number) =>
    void sums.set(tool, (sums.get(tool) ?? 0) + bytes);
  return {
    count(tool, outcome) {
      let known = counts.get(tool);
      if (!known) {
        known = { hit: 0, miss: 0, stored: 0, refused: 0, failed: 0, cut: 0, other: 0 };
        counts.set(tool, known);
      }
      known[outcome] += 1;
    },
    receive: (tool, bytes) => add(received, tool, bytes),
    send: (tool, bytes) => add(sent, tool, bytes),
    *requests() {
      for (const [tool, known] of counts)
        for (const outcome of OUTCOMES) if (known[outcome] > 0) yield [[tool, outcome], known[outcome]];
    },
    *bytes() {
      for (const [tool, bytes] of received) yield [[tool, "in"], bytes];
      for (const [tool, bytes] of sent) yield [[tool, "out"], bytes];
    },
  };
}
