/**
 * 1. The contract and content/facts/api.yaml have the same services, methods and streams.
 * 2. Fields that the pages name have the same type in the contract, and every field of the contract's requests and
 *    answers is named.
 * 3. Methods that the pages call idempotent, and no others, read `Idempotency-Key`; methods that name no token need none.
 * 4. Every method answers: it is in the table.
 * 5. Services of missing parts are those whose part is a preview, and are called by its name.
 * 6. The errors of the pages have the statuses that the server sends.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AnyDesc, DescField, DescMessage, DescService } from "@bufbuild/protobuf";
import { Code } from "@connectrpc/connect";
import { codeFromString, codeToHttpStatus } from "@connectrpc/connect/protocol-connect";
import { ScalarType } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { addressOfMethod } from "./calls/call.ts";
import { createMethodTable } from "./methods.ts";

interface FieldFacts {
  name: string;
  type: string;
  required?: boolean;
}
interface MethodFacts {
  name: string;
  tokens?: string[];
  idempotent?: boolean;
  streaming?: boolean;
  request?: FieldFacts[];
  response?: FieldFacts[];
}
interface ApiFacts {
  services: { name: string; part: string; methods: MethodFacts[] }[];
  errors: { code: string; http: number }[];
}

const read = (name: string): unknown =>
  parse(readFileSync(join(import.meta.dirname, `../../content/facts/${name}.yaml`), "utf8"));
const facts = read("api") as ApiFacts;
const table = createMethodTable();
/** Parts that exist. */
const available = ["site", "api", "cli", "cache", "registry", "container-builds"];
const described = facts.services.flatMap((service) =>
  service.methods.map((method) => ({
    ...method,
    service: service.name,
    address: `/millrace.v1.${service.name}/${method.name}`,
  })),
);
const descOf = (address: string) => {
  const method = table.get(address);
  if (!method) throw new Error(`The table has no ${address}.`);
  return method.desc;
};

test("1. and 4. services, methods, streams", async () => {
  const inContract = (await readServices()).flatMap(({ methods }) => methods.map(addressOfMethod));
  expect(described.map(({ address }) => address).sort()).toEqual(inContract.toSorted());
  expect([...table.keys()].sort()).toEqual(inContract.toSorted());
  for (const { address, streaming = false } of described)
    expect([address, descOf(address).methodKind]).toEqual([
      address,
      streaming ? "server_streaming" : "unary",
    ]);
});

test("2. fields", () => {
  for (const { address, request = [], response = [] } of described) {
    const { input, output } = descOf(address);
    for (const [message, fields] of [
      [input, request],
      [output, response],
    ] as const) {
      for (const { name, type } of fields)
        expect([address, name, typeAt(message, name)]).toEqual([address, name, type]);
      const named = new Set(fields.map(({ name }) => name.split(".")[0]));
      expect([address, message.fields.map(({ name }) => name).toSorted()]).toEqual([
        address,
        [...named].sort(),
      ]);
    }
  }
});

test("3. Idempotency-Key and tokens", () => {
  for (const { address, idempotent = false, tokens = [] } of described) {
    const method = table.get(address)!;
    // Creates of parts that do not exist yet answer nothing that could be stored.
    const isCreate = !method.isPublic && method.isCreate;
    if (!isMissing(address)) expect([address, isCreate]).toEqual([address, idempotent]);
    expect([address, method.isPublic]).toEqual([address, tokens.length === 0]);
  }
});

test("5. missing parts", async () => {
  const { parts } = read("parts") as { parts: { id: string; name: string; state: string }[] };
  for (const { name, part, methods } of facts.services) {
    const { name: partName = "", state } = parts.find(({ id }) => id === part) ?? {};
    if (available.includes(part)) continue;
    expect([part, state]).toEqual([part, "preview"]);
    const [method] = methods;
    const { run } = table.get(`/millrace.v1.${name}/${method?.name}`)!;
    const message = await run({} as never, {} as never).catch(String);
    expect(message).toContain("not part of this server yet.");
    expect(String(message).toLowerCase()).toContain(partName.toLowerCase());
  }
});

test("6. statuses", () => {
  for (const { code, http } of facts.errors) {
    const known = codeFromString(code as "canceled");
    expect([code, known === undefined ? 0 : codeToHttpStatus(known as Code)]).toEqual([code, http]);
  }
});

/** All generated services, whether or not the table has them. */
async function readServices(): Promise<DescService[]> {
  const files = globSync(join(import.meta.dirname, "gen/millrace/v1/*_pb.ts"));
  const modules = await Promise.all(files.map((file) => import(file) as Promise<Record<string, AnyDesc>>));
  return modules.flatMap((module) => Object.values(module)).filter((desc) => desc.kind === "service");
}

function isMissing(address: string): boolean {
  return facts.services.some(({ name, part }) => address.includes(`.${name}/`) && !available.includes(part));
}

/** @param path `organization.id`; the pages write the fields of objects in a list the same way */
function typeAt(message: DescMessage, path: string): string {
  const [name, ...rest] = path.split(".");
  const field = message.fields.find((each) => each.name === name);
  if (!field) return "missing";
  if (rest.length > 0 && field.message) return typeAt(field.message, rest.join("."));
  return typeOf(field);
}

function typeOf(field: DescField): string {
  const inner = (scalar: ScalarType | undefined, type: DescMessage | undefined) =>
    type === undefined
      ? ScalarType[scalar ?? 0]!.toLowerCase()
      : type.typeName === "google.protobuf.Timestamp"
        ? "timestamp"
        : type.name;
  if (field.fieldKind === "list") return `${inner(field.scalar, field.message)}[]`;
  if (field.fieldKind === "map")
    return `map<${inner(field.mapKey, undefined)}, ${inner(field.scalar, field.message)}>`;
  return inner(field.scalar, field.message);
}
