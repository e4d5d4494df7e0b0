/** The tables of the smaller facts, and `<Fact>`: one value in a sentence. */
import { FactError, type FactComponent } from "#docs/content/blocks/component.ts";
import { allVariables, type Facts } from "#docs/content/facts/facts.ts";
import { previewMark } from "#docs/content/page/preview-marks.ts";
import { didYouMean } from "#docs/content/problem.ts";
import { code, factTable, previewMarks, type FactRow } from "./fact-table.ts";
import { inlineMarkdown, plain } from "./inline-markdown.ts";

type Claim = Parameters<FactComponent["expand"]>[2];

interface TableRules {
  example: string;
  attributes?: FactComponent["attributes"];
  head: string[];
  rows(facts: Facts, claim: Claim, attributes: Record<string, string>): FactRow[];
}

export function tableOf({ example, attributes = {}, head, rows }: TableRules): FactComponent {
  return {
    kind: "fact",
    inline: false,
    attributes,
    content: "none",
    example,
    expand(given, facts, claim) {
      const found = rows(facts, claim, given);
      if (found.length > 0) return [factTable(head, found)];
      // Without attributes, the facts' file is missing, which is reported elsewhere.
      if (Object.keys(given).length === 0) return [];
      throw new FactError(`No fact matches ${JSON.stringify(given)}.`, example);
    },
  };
}

export const runnerTable = tableOf({
  example: "<RunnerTable />",
  attributes: { architecture: { values: ["amd64", "arm64"] } },
  head: ["Label", "CPUs", "Memory", "Architecture", "Image"],
  rows: ({ runners: { runners } }, claim, { architecture }) =>
    runners
      .filter((runner) => architecture === undefined || runner.architecture === architecture)
      .map((runner) => {
        const aliases = runner.aliases.flatMap((alias) => [...plain(", "), code(alias)]);
        return {
          id: claim(`runner-${runner.label}`, `runner-${runner.label}-${runner.architecture}`),
          cells: [
            [code(runner.label), ...aliases],
            String(runner.cpus),
            runner.memory,
            runner.architecture,
            runner.image,
          ],
        };
      }),
});

export const envTable = tableOf({
  example: '<EnvTable usedBy="cli" />',
  attributes: { usedBy: { values: ["cli", "server", "runner"] } },
  head: ["Variable", "What it sets"],
  rows(facts, claim, { usedBy }) {
    const variables = allVariables(facts);
    const mark = previewMarks(variables, facts);
    return variables
      .filter((variable) => usedBy === undefined || variable.usedBy === usedBy)
      .map((variable) => ({
        id: claim(`env-${variable.name}`, `env-${variable.usedBy}-${variable.name}`),
        cells: [
          [code(variable.name)],
          [
            ...inlineMarkdown(variable.description),
            ...(variable.default === undefined
              ? []
              : [...plain(" Default: "), code(variable.default), ...plain(".")]),
            ...(variable.example === undefined
              ? []
              : [...plain(" Example: "), code(variable.example), ...plain(".")]),
            ...mark(variable),
          ],
        ],
      }));
  },
});

export const limitTable = tableOf({
  example: '<LimitTable group="Cache" />',
  attributes: { group: {} },
  head: ["Limit", "Value", "What happens"],
  rows: ({ limits: { limits } }, claim, { group }) =>
    limits
      .filter((limit) => group === undefined || limit.group === group)
      .map(({ id, name, value, description = "", setting }) => ({
        id: claim(`limit-${id.replaceAll(".", "-")}`, `limits-${id.replaceAll(".", "-")}`),
        cells: [
          name,
          value,
          setting === undefined ? description : `${description} Setting: \`${setting}\`.`.trim(),
        ],
      })),
});

export const providerTable = tableOf({
  example: "<ProviderTable />",
  head: ["Provider", "OIDC", "Credentials", "Set-up"],
  rows(facts, claim) {
    const { providers } = facts.providers;
    const mark = previewMarks(providers, facts);
    return providers.map((provider) => ({
      id: claim(`provider-${provider.id}`, `providers-${provider.id}`),
      cells: [
        [{ type: "link", url: provider.page, children: plain(provider.name) }, ...mark(provider)],
        provider.oidc === "api" ? "through the API" : provider.oidc ? "yes" : "no",
        provider.credentials,
        provider.setup ?? "",
      ],
    }));
  },
});

export const partTable = tableOf({
  example: '<PartTable state="preview" />',
  attributes: { state: { values: ["available", "preview"] } },
  head: ["Part", "What it does"],
  rows: ({ parts: { parts } }, claim, { state }) =>
    parts
      .filter((part) => state === undefined || part.state === state)
      .map(({ id, name, page, summary, state: its }) => ({
        id: claim(`part-${id}`, `parts-${id}`),
        cells: [
          [
            { type: "link", url: page, children: plain(name) },
            ...(its === "preview" ? [...plain(" "), previewMark(id)] : []),
          ],
          summary,
        ],
      })),
});

/** Each row says what does not exist, under every name that readers search for, and what to do instead. */
export const notSupported = tableOf({
  example: '<NotSupported group="Operation" />',
  attributes: { group: {} },
  head: ["There is no", "Do this instead"],
  rows: (facts, claim, { group }) =>
    facts["not-supported"].notSupported
      .filter((entry) => group === undefined || entry.group === group)
      .map(({ id, name, words, instead, page }) => ({
        id: claim(`no-${id}`, `not-supported-${id}`),
        cells: [
          [{ type: "link", url: page, children: plain(name) }, ...plain(` (${words.join(", ")})`)],
          instead,
        ],
      })),
});

/** `<Fact id="cache.quota" />` */
export const fact: FactComponent = {
  kind: "fact",
  inline: true,
  attributes: { id: { required: true } },
  content: "none",
  example: '<Fact id="cache.quota" />',
  expand({ id = "" }, { limits: { limits } }) {
    const limit = limits.find((candidate) => candidate.id === id);
    if (limit) return inlineMarkdown(limit.value);
    // Without any limits, the file is missing, which is reported elsewhere.
    if (limits.length === 0) return plain(id);
    const hint = didYouMean(
      id,
      limits.map((candidate) => candidate.id),
    );
    throw new FactError(`content/facts/limits.yaml has no "${id}".${hint}`, this.example);
  },
};
