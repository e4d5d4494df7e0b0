/**
 * Runs explanations one by one: each reads two builds of 5,000 steps, or names in up to 21 of them. A repeated question shares the
 * running answer; an organization gets only a part of the places.
 */
import { Refused } from "#accounts/index.ts";
import type { Explanation } from "../contract/builds.ts";
import { MAX_EXPLANATIONS, MAX_EXPLANATIONS_PER_ORGANIZATION } from "../contract/limits.ts";

export interface Asked {
  organizationId: string;
  buildId: string;
  stepId: string;
}

/** @throws Refused with "resource_exhausted" when too many wait */
export type Explanations = (asked: Asked, find: () => Promise<Explanation>) => Promise<Explanation>;

export function createExplanations(): Explanations {
  const waiting = new Map<string, { organizationId: string; answer: Promise<Explanation> }>();
  let last: Promise<unknown> = Promise.resolve();
  return ({ organizationId, buildId, stepId }, find) => {
    const key = `${buildId} ${stepId}`;
    const known = waiting.get(key);
    if (known) return known.answer;
    const own = [...waiting.values()].filter((each) => each.organizationId === organizationId);
    if (waiting.size >= MAX_EXPLANATIONS || own.length >= MAX_EXPLANATIONS_PER_ORGANIZATION)
      return Promise.reject(
        new Refused("resource_exhausted", "too many steps are being explained: ask again in a few seconds"),
      );
    const answer = last.then(find).finally(() => waiting.delete(key));
    last = answer.catch(() => undefined);
    waiting.set(key, { organizationId, answer });
    return answer;
  };
}
