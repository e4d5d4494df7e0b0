/** States of parts in sentences: `<PartNames>`, `<Preview>` and `<State>`. */
import { availabilityOf } from "#docs/content/page/availability.ts";
import { FactError, type FactComponent } from "#docs/content/blocks/component.ts";
import type { Facts } from "#docs/content/facts/facts.ts";
import { previewMark } from "#docs/content/page/preview-marks.ts";
import { didYouMean } from "#docs/content/problem.ts";
import { inlineMarkdown, plain } from "./inline-markdown.ts";

/** `<PartNames state="available" />`: the names of the parts in that state. */
export const partNames: FactComponent = {
  kind: "fact",
  inline: true,
  attributes: { state: { required: true, values: ["available", "preview"] } },
  content: "none",
  example: '<PartNames state="available" />',
  expand({ state }, { parts: { parts } }) {
    const names = parts.filter((part) => part.state === state).map(({ name }) => name);
    return plain(new Intl.ListFormat("en").format(names));
  },
};

/** `<Preview part="runners" />`: a mark on a part that does not run yet; nothing once it runs. */
export const preview: FactComponent = {
  kind: "fact",
  inline: true,
  attributes: { part: { required: true } },
  content: "none",
  example: '<Preview part="runners" />',
  expand({ part = "" }, facts) {
    checkPart(part, facts, this.example);
    return availabilityOf(part, facts) === "preview" ? [previewMark(part)] : [];
  },
};

/** `<State part="runners" />`: a sentence that the part does not run yet; nothing once it runs. */
export const state: FactComponent = {
  kind: "fact",
  inline: true,
  attributes: { part: { required: true } },
  content: "none",
  example: '<State part="runners" />',
  expand({ part = "" }, facts) {
    checkPart(part, facts, this.example);
    if (availabilityOf(part, facts) === "available") return [];
    const { name = part } = facts.parts.parts.find(({ id }) => id === part) ?? {};
    const words = `Not in this release yet: ${name}. [What exists](/docs/core-concepts/what-exists) lists what is available.`;
    return [previewMark(part), ...plain(" "), ...inlineMarkdown(words)];
  },
};

/** @throws FactError. If there are no parts, the file is missing, which is reported elsewhere. */
function checkPart(part: string, { parts: { parts } }: Facts, example: string): void {
  const ids = parts.map(({ id }) => id);
  if (ids.length === 0 || ids.includes(part)) return;
  throw new FactError(`content/facts/parts.yaml has no part "${part}".${didYouMean(part, ids)}`, example);
}
