/** Reads a request's message, whose values have been counted, and names the wrong field. */
import { type DescMessage, fromJsonString, type Message } from "@bufbuild/protobuf";
import { isFieldError } from "@bufbuild/protobuf/reflect";
import type { ConnectError } from "@connectrpc/connect";
import { decodeKnownFields } from "#platform/grpc/count-fields.ts";
import { invalidArgument } from "../calls/errors.ts";
import { JSON_OPTIONS } from "../calls/json-options.ts";

/** @throws ConnectError `invalid_argument` */
export function parseBinary(schema: DescMessage, bytes: Uint8Array): Message {
  try {
    return decodeKnownFields(schema, bytes);
  } catch {
    throw invalidArgument(`The body is not a ${schema.typeName} in the binary format of Protocol Buffers.`);
  }
}

/** @throws ConnectError `invalid_argument` */
export function parseJson(schema: DescMessage, bytes: Uint8Array): Message {
  const text = decode(bytes);
  try {
    return fromJsonString(schema, text, JSON_OPTIONS);
  } catch (error) {
    throw explain(error, schema);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidArgument("The body is not UTF-8.");
  }
}

const UNKNOWN_KEY = /key "([^"]{1,200})" is unknown$/;
const PREFIX = /^cannot decode (?:message|field) \S+ from JSON:? ?/;

/** The library's errors name types of the contract, but people know the fields. */
function explain(error: unknown, { typeName }: DescMessage): ConnectError {
  const said = error instanceof Error ? error.message : String(error);
  const method = typeName.slice("millrace.v1.".length, -"Request".length).replace("Service", "Service/");
  const unknown = UNKNOWN_KEY.exec(said)?.[1];
  if (unknown !== undefined) return invalidArgument(`${method} has no field \`${unknown}\`.`, unknown);
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof SyntaxError) return invalidArgument(`The body is not JSON: ${cause.message}.`);
  const field = [error, cause].find(isFieldError)?.field().name;
  const reason = said.replace(PREFIX, "").slice(0, 300) || said.slice(0, 300);
  return invalidArgument(field === undefined ? `The body: ${reason}` : `\`${field}\`: ${reason}`, field);
}
