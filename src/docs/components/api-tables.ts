import { FactError, type FactComponent } from "#docs/content/blocks/component.ts";
import type { Facts } from "#docs/content/facts/facts.ts";
import { didYouMean } from "#docs/content/problem.ts";
import { code, factTable, requiredMark, type FactRow } from "./fact-table.ts";
import { tableOf } from "./fact-tables.ts";
import { inlineMarkdown, plain } from "./inline-markdown.ts";

type Method = Facts["api"]["services"][number]["methods"][number];
type Field = Method["request"][number];

/** `<MethodTable service="BuildService" />`: every method, followed by the fields that it takes and returns. */
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
      const names = services.map((candidate) => candidate.name);
      throw new FactError(`proto/ has no service "${name}".${didYouMean(name, names)}`, this.example);
    }
    const rows = service.methods.flatMap((method) => [
      methodRow(method, claim(`method-${method.name}`, `method-${name}-${method.name}`)),
      ...method.request.map((field) => fieldRow(field, "takes ")),
      ...method.response.map((field) => fieldRow(field, "returns ")),
    ]);
    return [factTable(["Method", "Type", "Description"], rows)];
  },
};

/** `<ErrorTable />`: the codes of the API with their statuses and whether to try again. */
export const errorTable = tableOf({
  example: "<ErrorTable />",
  head: ["Code", "HTTP", "Meaning", "Try again?"],
  rows: (facts, claim) =>
    facts["api-errors"].errors.map((error) => ({
      id: claim(`error-${error.code}`, `error-${error.code}-${error.http}`),
      cells: [[code(error.code)], String(error.http), error.meaning, error.retry],
    })),
});

function methodRow({ name, summary, tokens, idempotent, streaming, errors }: Method, id: string): FactRow {
  const notes = [
    idempotent ? "Takes `Idempotency-Key`." : "",
    tokens.length > 0 ? `Tokens: ${tokens.join(", ")}.` : "",
    errors.length > 0 ? `Errors: ${errors.map((error) => `\`${error}\``).join(", ")}.` : "",
  ];
  const text = [summary, ...notes].filter(Boolean).join(" ");
  return {
    id,
    classes: ["is-group"],
    cells: [
      [{ type: "strong", children: [code(name)] }],
      streaming ? "stream" : "call",
      inlineMarkdown(text),
    ],
  };
}

function fieldRow({ name, type, required, description }: Field, direction: string): FactRow {
  return {
    cells: [
      [...plain(direction), code(name)],
      plain(type),
      required ? [requiredMark(), ...plain(". "), ...inlineMarkdown(description)] : description,
    ],
  };
}
