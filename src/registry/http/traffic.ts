/** The operator's view of requests to the registry. */

export const OUTCOMES = [
  "pulled",
  "pushed",
  "deleted",
  "missing",
  "refused",
  "failed",
  "cut",
  "other",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Traffic {
  count(outcome: Outcome): void;
  receive(bytes: number): void;
  send(bytes: number): void;
  requests(): [string, number][];
  /** `in` and `out`. */
  bytes(): [string, number][];
}

export function createTraffic(): Traffic {
  const requests = new Map<Outcome, number>(OUTCOMES.map((outcome) => [outcome, 0]));
  let received = 0;
  let sent = 0;
  return {
    count: (outcome) => void requests.set(outcome, (requests.get(outcome) ?? 0) + 1),
    receive: (bytes) => void (received += bytes),
    send: (bytes) => void (sent += bytes),
    requests: () => [...requests],
    bytes: () => [
      ["in", received],
      ["out", sent],
    ],
  };
}
