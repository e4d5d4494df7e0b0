import { FactError, type FactComponent } from "#content/component.ts";
import type { Facts } from "#content/facts.ts";
import { didYouMean } from "#content/problem.ts";
import { code, factTable } from "./fact-table.ts";
import { inlineMarkdown, plain } from "./inline-markdown.ts";
import type { PhrasingContent } from "mdast";

type Method = Facts["api"]["services"][number]["methods"][number];

/** `<MethodTable service="BuildService" />` */
export const methodTable: FactComponent = {
  kind: "fact",
  inline: false,
  attributes: { service: { required: true } },
  content: "none",
  example: '<MethodTable service="BuildService" />',
  expand({ service: name = "" }, facts, claim) {
    const { services } = facts.api;
    const service = services.find((candidate) => candidate.name === name);
    if (!service) {
      if (services.length === 0) return [];
      const hint = didYouMean(
        name,
        services.map((candidate) => candidate.name),
      );
      throw new FactError(`content/facts/api.yaml has no service "${name}".${hint}`, this.example);
    }
    const rows = service.methods.map((method) => ({
      id: claim(`method-${method.name}`, `method-${name}-${method.name}`),
      cells: [[code(method.name)], summaryOf(method), fields(method.request), fields(method.response)],
    }));
    return [factTable(["Method", "What it does", "Request", "Response"], rows)];
  },
};

function summaryOf({ summary, tokens, idempotent, streaming }: Method): PhrasingContent[] {
  const notes = [
    streaming ? "Streams its answer." : "",
    idempotent ? "Takes `Idempotency-Key`." : "",
    tokens.length > 0 ? `Tokens: ${tokens.join(", ")}.` : "",
  ];
  return inlineMarkdown([summary, ...notes].filter(Boolean).join(" "));
}

function fields(list: Method["request"]): PhrasingContent[] {
  return list.flatMap(({ name, required }, index) => [
    ...(index === 0 ? [] : plain(", ")),
    code(name),
    ...(required ? plain(" (required)") : []),
  ]);
}
