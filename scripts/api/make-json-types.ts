/**
 * The contract as TypeScript for a client that speaks JSON: the shapes on the wire (`snake_case`, 64-bit numbers and times as
 * texts) and a table of methods. Types only, so they add no bytes to the application.
 */
import { type DescField, type DescMessage, type Registry, ScalarType } from "@bufbuild/protobuf";

const NOTE =
  "/** Made from proto/ by `npm run generate`: what the API takes and answers, as JSON. Do not edit. */\n/* eslint-disable */\n";

/** @param registry as written by `buf build` @returns the text of the file */
export function makeJsonTypes(registry: Registry): string {
  const messages = new Map<string, DescMessage>();
  const methods: string[] = [];
  for (const service of [...registry].filter((each) => each.kind === "service"))
    for (const { name, input, output, methodKind } of service.methods) {
      if (methodKind !== "unary") continue;
      collect(messages, input);
      collect(messages, output);
      methods.push(`  "${service.name}/${name}": { request: ${input.name}; answer: ${output.name} };`);
    }
  const shapes = [...messages.values()]
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((message) => describe(message, message.name.endsWith("Request")));
  return `${NOTE}\n${shapes.join("\n\n")}\n\nexport interface Methods {\n${methods.toSorted().join("\n")}\n}\n`;
}

function collect(messages: Map<string, DescMessage>, message: DescMessage): void {
  if (message.typeName.startsWith("google.") || messages.has(message.name)) return;
  messages.set(message.name, message);
  for (const field of message.fields) {
    if (field.message) collect(messages, field.message);
    if (field.fieldKind === "map" && field.message) collect(messages, field.message);
  }
}

/** Every field of a request is optional; a response has all fields except messages and optional ones. */
function describe(message: DescMessage, isRequest: boolean): string {
  const fields = message.fields.map((field) => {
    const isOptional = isRequest || field.fieldKind === "message" || field.presence === 1;
    return `  ${field.name}${isOptional ? "?" : ""}: ${typeOf(field)};`;
  });
  if (fields.length === 0) return `export type ${message.name} = Record<string, never>;`;
  return `export interface ${message.name} {\n${fields.join("\n")}\n}`;
}

function typeOf(field: DescField): string {
  if (field.fieldKind === "list") return `${single(field.scalar, field.message)}[]`;
  if (field.fieldKind === "map") return `Record<string, ${single(field.scalar, field.message)}>`;
  return single(field.scalar, field.message);
}

function single(scalar: ScalarType | undefined, message: DescMessage | undefined): string {
  if (message) return message.typeName === "google.protobuf.Timestamp" ? "string" : message.name;
  if (scalar === ScalarType.BOOL) return "boolean";
  if (scalar === ScalarType.INT32 || scalar === ScalarType.DOUBLE) return "number";
  return "string";
}
