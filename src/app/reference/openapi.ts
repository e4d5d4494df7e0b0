/** The parts of `/openapi.json` that the page shows. Made by this server, but read defensively: a proxy may answer instead. */

/** Levels of messages within messages that an example shows. */
const MAX_DEPTH = 4;

export interface Field {
  name: string;
  /** `string`, `list of string`, `Project`. */
  type: string;
  isRequired: boolean;
  text: string;
}

export interface Method {
  /** `ProjectService/List`: unique, and the address's fragment. */
  id: string;
  service: string;
  name: string;
  /** `/api/millrace.v1.ProjectService/List` */
  path: string;
  summary: string;
  text: string;
  request: Field[];
  response: Field[];
  /** A body to start from: required fields, empty. */
  example: object;
}

interface Bag {
  [name: string]: unknown;
}

const asBag = (value: unknown): Bag =>
  // Anything but a list has named properties.
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Bag) : {};
const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** In the document's order; empty when it is not an OpenAPI document. */
export function listMethods(document: unknown): Method[] {
  const schemas = asBag(asBag(asBag(document)["components"])["schemas"]);
  return Object.entries(asBag(asBag(document)["paths"])).flatMap(([path, item]) => {
    const names = /\/(?:\w+\.)*(\w+)\/(\w+)$/.exec(path);
    const operation = asBag(asBag(item)["post"]);
    const [service, name] = [names?.[1], names?.[2]];
    if (!service || !name || Object.keys(operation).length === 0) return [];
    const request = resolve(schemaOf(operation["requestBody"]), schemas);
    const answer = asBag(asBag(operation["responses"])["200"]);
    return [
      {
        id: `${service}/${name}`,
        service,
        name,
        path,
        summary: asText(operation["summary"]),
        text: asText(operation["description"]),
        request: fieldsOf(request, schemas),
        response: fieldsOf(resolve(schemaOf(answer), schemas), schemas),
        example: exampleOf(request, schemas),
      },
    ];
  });
}

function schemaOf(holder: unknown): unknown {
  return asBag(asBag(asBag(holder)["content"])["application/json"])["schema"];
}

function referredName(schema: Bag): string | undefined {
  return /^#\/components\/schemas\/(.+)$/.exec(asText(schema["$ref"]))?.[1];
}

function resolve(schema: unknown, schemas: Bag): Bag {
  const bag = asBag(schema);
  const name = referredName(bag);
  return name === undefined ? bag : asBag(schemas[name]);
}

function requiredOf(schema: Bag): readonly unknown[] {
  const { required } = schema;
  return Array.isArray(required) ? required : [];
}

function fieldsOf(schema: Bag, schemas: Bag): Field[] {
  const required = requiredOf(schema);
  return Object.entries(asBag(schema["properties"])).map(([name, value]) => ({
    name,
    type: typeOf(value, schemas),
    isRequired: required.includes(name),
    text: asText(asBag(value)["description"]) || asText(resolve(value, schemas)["description"]),
  }));
}

function typeOf(schema: unknown, schemas: Bag, depth = 0): string {
  const bag = asBag(schema);
  const name = referredName(bag);
  if (name !== undefined) return name.split(".").at(-1) ?? name;
  if (bag["type"] === "array" && depth < MAX_DEPTH)
    return `list of ${typeOf(bag["items"], schemas, depth + 1)}`;
  if (Array.isArray(bag["enum"])) return bag["enum"].map((each) => JSON.stringify(each)).join(" or ");
  const type = Array.isArray(bag["type"]) ? bag["type"].join(" or ") : asText(bag["type"]);
  if (type === "object" && "additionalProperties" in bag) return "map";
  return [type || "any", asText(bag["format"]) && `(${asText(bag["format"])})`].filter(Boolean).join(" ");
}

function exampleOf(schema: Bag, schemas: Bag, depth = 0): object {
  const required = requiredOf(schema);
  const entries = Object.entries(asBag(schema["properties"])).filter(([name]) => required.includes(name));
  return Object.fromEntries(entries.map(([name, value]) => [name, emptyOf(value, schemas, depth)]));
}

function emptyOf(schema: unknown, schemas: Bag, depth: number): unknown {
  const bag = resolve(schema, schemas);
  const { type } = bag;
  if (Array.isArray(bag["enum"])) return bag["enum"][0];
  if (type === "string") return "";
  if (type === "integer" || type === "number") return 0;
  if (type === "boolean") return false;
  if (type === "array") return [];
  return depth < MAX_DEPTH ? exampleOf(bag, schemas, depth + 1) : {};
}
