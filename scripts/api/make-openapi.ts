/**
 * The API as an OpenAPI 3.1 document: shapes, words, required fields, accepted tokens and errors from `proto/`.
 */
import type { DescField, DescMessage, DescMethod, DescService, Registry } from "@bufbuild/protobuf";
import { getOption, ScalarType } from "@bufbuild/protobuf";
import { required, rule } from "#api/gen/millrace/options/v1/options_pb.ts";
import { commentOf } from "./comment-of.ts";

type Json = { [name: string]: unknown };

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: Json) => ({ content: { "application/json": { schema } } });

/**
 * @param registry with comments, as written by `buf build`
 * @param codes of errors, as clients see them
 */
export function makeOpenApi(registry: Registry, codes: readonly string[]): Json {
  const services = [...registry].filter((desc) => desc.kind === "service").toSorted(byName);
  const schemas: Json = { Error: errorSchema(codes) };
  const paths: Json = {};
  for (const service of services)
    for (const method of service.methods) {
      addSchema(schemas, method.input);
      addSchema(schemas, method.output);
      paths[`/api/${service.typeName}/${method.name}`] = { post: operation(service, method) };
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
    tags: services.map((service) => ({ name: service.name, description: commentOf(service) })),
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { token: { type: "http", scheme: "bearer", description: "A token: `mr_…`." } },
    },
  };
}

const byName = (a: DescService, b: DescService) => (a.name < b.name ? -1 : 1);

function operation(service: DescService, method: DescMethod): Json {
  const { tokens, creates, errors } = getOption(method, rule);
  const streaming = method.methodKind === "server_streaming";
  const answer = reference(method.output.name);
  const who = tokens.length > 0 ? ` Tokens: ${tokens.join(", ")}.` : "";
  return {
    operationId: `${service.name}_${method.name}`,
    tags: [service.name],
    summary: commentOf(method),
    description: `Errors: ${errors.map((code) => `\`${code}\``).join(", ")}.${who}`,
    // Absent: the document's own security applies.
    ...(tokens.length === 0 && { security: [] }),
    parameters: [
      ...(tokens.includes("user")
        ? [header("Millrace-Org", "The organization to act in, by name or id.")]
        : []),
      ...(creates ? [header("Idempotency-Key", "Send the same key when you retry.")] : []),
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

function addSchema(schemas: Json, message: DescMessage): void {
  if (message.typeName.startsWith("google.") || schemas[message.name]) return;
  const properties: Json = {};
  const needed = message.fields.filter((field) => getOption(field, required)).map(({ name }) => name);
  schemas[message.name] = {
    type: "object",
    ...describe(message),
    properties,
    ...(needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
  for (const field of message.fields) {
    properties[field.name] = { ...fieldSchema(field), ...describe(field) };
    const inner = innerMessage(field);
    if (inner) addSchema(schemas, inner);
  }
}

function describe(desc: DescMessage | DescField): { description?: string } {
  const description = commentOf(desc);
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

const errorSchema = (codes: readonly string[]): Json => ({
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
