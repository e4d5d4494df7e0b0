/** The first-run list: what a person can do to begin, and what the server has seen of it. */

/** In the order of the list. */
export const STEP_KEYS = ["login", "project", "token", "job", "colleague"] as const;
export type StepKey = (typeof STEP_KEYS)[number];

/** Only owners can do these: members see a shorter list. */
const OWNER_STEPS: ReadonlySet<StepKey> = new Set(["job", "colleague"]);

export interface StepFound {
  /** RFC 3339. */
  at: string;
  found: { text: string; id?: string };
}

export type Steps = { readonly [Key in StepKey]: StepFound | null };

/** The steps that this person can do. */
export const stepsFor = ({ isOwner }: { isOwner: boolean }): readonly StepKey[] =>
  STEP_KEYS.filter((key) => isOwner || !OWNER_STEPS.has(key));

/** A step that the server does not name is not done. */
export function isFinished(steps: Partial<Steps>, keys: readonly StepKey[]): boolean {
  return keys.every((key) => Boolean(steps[key]));
}
