import { FactError, type FactComponent } from "#docs/content/blocks/component.ts";
import { didYouMean } from "#docs/content/problem.ts";
import { plain } from "./inline-markdown.ts";

/** `<ToolVersion tool="bazel" />`: the oldest version of a build tool that its page covers, and the version that the tests run. */
export const toolVersion: FactComponent = {
  kind: "fact",
  inline: true,
  attributes: { tool: { required: true } },
  content: "none",
  example: '<ToolVersion tool="bazel" />',
  expand({ tool = "" }, { cache: { tools } }) {
    const found = tools.find(({ id }) => id === tool);
    // Without any tools, the file is missing, which is reported elsewhere.
    if (!found && tools.length === 0) return [];
    if (!found) {
      const hint = didYouMean(
        tool,
        tools.map(({ id }) => id),
      );
      throw new FactError(`content/facts/cache.yaml has no tool "${tool}".${hint}`, this.example);
    }
    const { name, since = found.tested, tested } = found;
    return plain(`${name} ${since} or newer; Millrace's tests run ${tested}`);
  },
};
