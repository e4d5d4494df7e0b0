/**
 * The API as an OpenAPI 3.1 document: shapes and words from `proto/`, and from `content/facts/api.yaml` what the
 * contract cannot say (required fields, accepted tokens, errors).
 */
import type { DescField, DescMessage, DescMethod, DescService, Registry } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { getComments } from "@bufbuild/protoplugin";
import type { Facts } from "#docs/content/facts.ts";

type Json = { [name: string]: unknown };
type MethodFacts = Facts["api"]["services"][number]["methods"][number];

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Json) => ({ content: { "application/json": { schema } } });

/** @param registry with comments, as written by `buf build` */
export function makeOpenApi(registry: Registry, { services, errors }: Facts["api"]): Json {
  const described = services.map((facts) => {
    const service = registry.getService(`millrace.v1.${facts.name}`);
    if (!service) throw new Error(`proto/ has no ${facts.name}.`);
    return { facts, service };
  });
  const schemas: Json = { Error: errorSchema(errors.map(({ code }) => code)) };
  const paths: Json = {};
  for (const { facts, service } of described)
    for (const method of service.methods) {
      const methodFacts = facts.methods.find(({ name }) => name === method.name);
      if (!methodFacts) throw new Error(`api.yaml has no ${service.name}/${method.name}.`);
      const required = (methodFacts.request ?? []).filter((field) => field.required).map(({ name }) => name);
      addSchema(schemas, method.input, required);
      addSchema(schemas, method.output);
      paths[`/api/${service.typeName}/${method.name}`] = { post: operation(service, method, methodFacts) };
    }
  return {
    openapi: "3.1.0",
    info: {
      title: "Millrace",
      version: "v1",
      description: "Every method takes POST with a JSON object. Unknown fields are refused.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    tags: described.map(({ facts }) => ({ name: facts.name, description: facts.summary })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "A token: `mr_…`." } },
    },
  };
}

function operation(service: DescService, method: DescMethod, facts: MethodFacts): Json {
  const { tokens = [], idempotent, streaming, errors = [] } = facts;
  const answer = reference(method.output.name);
  const who = tokens.length > 0 ? ` Tokens: ${tokens.join(", ")}.` : "";
  return {
    operationId: `${service.name}_${method.name}`,
    tags: [service.name],
    summary: facts.summary,
    description: `Errors: ${errors.map((code) => `\`${code}\``).join(", ")}.${who}`,
    // Absent: the document's own security applies.
    ...(tokens.length === 0 && { security: [] }),
    parameters: [
      ...(tokens.includes("user")
        ? [header("Millrace-Org", "The organization to act in, by name or id.")]
        : []),
      ...(idempotent ? [header("Idempotency-Key", "Send the same key when you retry.")] : []),
    ],
    requestBody: streaming
      ? { required: true, content: { "application/connect+json": { schema: reference(method.input.name) } } }
      : { required: true, ...json(reference(method.input.name)) },
    responses: {
      200: {
        description: streaming ? "Frames with one message each." : "The response.",
        ...(streaming ? { content: { "application/connect+json": { schema: answer } } } : json(answer)),
      },
      default: { description: "The error.", ...json(reference("Error")) },
    },
  };
}

const header = (name: string, description: string) => ({
  name,
  in: "header",
  description,
  schema: { type: "string", maxLength: 255 },
});

function addSchema(schemas: Json, message: DescMessage, required: string[] = []): void {
  if (message.typeName.startsWith("google.") || schemas[message.name]) return;
  const properties: Json = {};
  schemas[message.name] = {
    type: "object",
    ...describe(message),
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
  for (const field of message.fields) {
    properties[field.name] = { ...fieldSchema(field), ...describe(field) };
    const inner = innerMessage(field);
    if (inner) addSchema(schemas, inner);
  }
}

function describe(desc: DescMessage | DescField): { description?: string } {
  const description = (getComments(desc).leading ?? "").replace(/\s+/g, " ").trim();
  return description === "" ? {} : { description };
}

function innerMessage(field: DescField): DescMessage | undefined {
  return field.fieldKind === "scalar" || field.fieldKind === "enum" ? undefined : field.message;
}

function fieldSchema(field: DescField): Json {
  switch (field.fieldKind) {
    case "list":
      return {
        type: "array",
        items: field.message ? messageSchema(field.message) : scalarSchema(field.scalar),
      };
    case "map":
      return { type: "object", additionalProperties: scalarSchema(field.scalar) };
    case "message":
      return messageSchema(field.message);
    default:
      return scalarSchema(field.scalar);
  }
}

function messageSchema(message: DescMessage): Json {
  if (message.typeName === "google.protobuf.Timestamp") return { type: "string", format: "date-time" };
  return reference(message.name);
}

function scalarSchema(scalar: ScalarType | undefined): Json {
  switch (scalar) {
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.INT32:
      return { type: "integer", format: "int32" };
    case ScalarType.INT64:
      // JavaScript numbers cannot hold all of them.
      return { type: "string", format: "int64", pattern: "^-?[0-9]{1,19}$" };
    case ScalarType.STRING:
      return { type: "string" };
    default:
      throw new Error(`No field of the API has had the type ${String(scalar)} until now: add its schema.`);
  }
}

const errorSchema = (codes: string[]): Json => ({
  type: "object",
  required: ["code", "message", "details"],
  properties: {
    code: { type: "string", enum: codes },
    message: { type: "string", description: "For people; may change." },
    details: {
      type: "array",
      items: {
        type: "object",
        required: ["type", "value"],
        properties: {
          type: { type: "string", description: "`google.rpc.BadRequest` or `google.rpc.RequestInfo`." },
          value: { type: "string", contentEncoding: "base64" },
          debug: { type: "object", description: "The same as JSON." },
        },
      },
    },
  },
});
