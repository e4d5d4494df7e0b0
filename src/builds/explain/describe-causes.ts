import { MAX_TEXT } from "./limits.ts";
import type { NamedStep } from "./match-steps.ts";
import type { Cause } from "./types.ts";

export interface Found {
  cause: Cause;
  /** The step that differs: the explained step, or one that it builds on. */
  step: NamedStep;
}

/** One sentence. Names in a build are untrusted: they are shortened, in one line, without control characters. */
export function describeCauses(step: NamedStep, found: readonly Found[]): string {
  const [first] = found;
  if (!first) return "It is not known why it ran again.";
  const more = found.length - 1;
  const others =
    more > 0 ? `, and ${more === 1 ? "one more thing differs" : `${more} more things differ`}` : "";
  const isOwn = first.step.record.id === step.record.id;
  const where = isOwn ? "" : ` (it builds on ${quote(first.step.text)})`;
  return `${phraseOf(first.cause)}${others}${where}.`;
}

const PHRASES: Record<Cause["kind"], (cause: Cause) => string> = {
  file: ({ name, before, after }) => {
    if (before.startsWith("mode ") && after.startsWith("mode "))
      return `The permissions of ${quote(name)} changed from ${before.slice(5)} to ${after.slice(5)}`;
    return `The file ${quote(name)} ${before === "" ? "was added" : after === "" ? "was removed" : "changed"}`;
  },
  argument: ({ name, before, after }) =>
    name === "no-cache"
      ? "The build ran without the cache, because of `--no-cache` or `no-cache-filter`"
      : `The build argument ${changeOf(name, before, after)}`,
  instruction: ({ name, before, after }) => {
    if (name !== after) return `In the Dockerfile, ${changeOf(name, before, after)}`;
    return before === ""
      ? `The instruction ${quote(name)} is new`
      : `The instruction changed from ${quote(before)} to ${quote(after)}`;
  },
  base: ({ name, before, after }) =>
    `${quote(name)} resolved to ${quote(before)} and now resolves to ${quote(after)}`,
  lost: ({ name, before, after }) => {
    const layer = `Nothing that it depends on changed: the layer of ${quote(name)}, made or reused at ${cut(before)}, is no longer in the cache`;
    if (after.startsWith("reset ")) return `${layer}, which was reset at ${cut(after.slice(6))}`;
    if (after.startsWith("full "))
      return `${layer}, which was full at ${cut(after.slice(5))}: a full cache removes the least recently used layers`;
    return after === "" ? layer : `${layer}: it was ${cut(after)}`;
  },
  secret: ({ name, after }) =>
    `The secret or SSH mount ${quote(name)} was ${after === "" ? "removed" : "added"} in the Dockerfile`,
  platform: ({ before, after }) => `It was built only for ${quote(before)}, never for ${quote(after)}`,
  first: () => "No earlier build that is still recorded completed this step successfully",
  unknown: ({ name }) =>
    `A file under ${quote(name)} changed, or the layer is no longer in the cache: the files of one of the builds are not known`,
};

const phraseOf = (cause: Cause) => PHRASES[cause.kind](cause);

function changeOf(name: string, before: string, after: string): string {
  if (before === after) return `${quote(name)} has a different value`;
  if (before === "") return `${quote(name)} is now set to ${quote(after)}`;
  if (after === "") return `${quote(name)} is no longer set; it was ${quote(before)}`;
  return `${quote(name)} changed from ${quote(before)} to ${quote(after)}`;
}

export const cutCause = ({ kind, name, before, after }: Cause): Cause => ({
  kind,
  name: cut(name),
  before: cut(before),
  after: cut(after),
});

const quote = (text: string) => `\`${cut(text)}\``;

// Control and format characters, which reverse or hide the text next to them, and unpaired surrogates.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

function cut(text: string): string {
  const short = text.slice(0, MAX_TEXT);
  return `${short.replaceAll(UNSEEN, "\ufffd")}${text.length > MAX_TEXT ? "…" : ""}`;
}
