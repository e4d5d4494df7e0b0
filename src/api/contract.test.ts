/**
 * 1. Every method of the contract answers: it is in the table. Its kinds of tokens and its error codes exist, and a method without
 *    a kind of token needs none.
 * 2. A number above its highest value is refused, as a `page_size` or a setting.
 * 3. Services of missing parts are those whose part is a preview, and are called by its name.
 * 4. A request without what is required is refused.
 * 5. The errors of the pages have the statuses that the server sends.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyDesc, type DescService, getOption } from "@bufbuild/protobuf";
import type { Code } from "@connectrpc/connect";
import { codeFromString, codeToHttpStatus } from "@connectrpc/connect/protocol-connect";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { addressOfMethod } from "./calls/call.ts";
import { max, required, rule } from "./gen/millrace/options/v1/options_pb.ts";
import { createMethodTable } from "./methods.ts";
import { openTestApi } from "./testing/api.ts";
import { partOf } from "./testing/facts.ts";

const errorsFile = join(import.meta.dirname, "../../content/facts/api-errors.yaml");
const { errors } = parse(readFileSync(errorsFile, "utf8")) as { errors: { code: string; http: number }[] };
const table = createMethodTable();
const services = await readServices();
const methods = services.flatMap((service) => service.methods);

test("1. methods", () => {
  expect([...table.keys()].toSorted()).toEqual(methods.map(addressOfMethod).toSorted());
  const codes = errors.map(({ code }) => code);
  for (const method of methods) {
    const { tokens, errors: expected } = getOption(method, rule);
    const address = addressOfMethod(method);
    expect(["user", "organization", "project", "job"], address).toEqual(expect.arrayContaining(tokens));
    expect(codes, address).toEqual(expect.arrayContaining(expected));
    expect([address, table.get(address)!.isPublic]).toEqual([address, tokens.length === 0]);
  }
});

test("2. highest values", async () => {
  await using server = await openTestApi("sqlite");
  const { body: created } = await server.call("ProjectService/Create", { name: "web" });
  const values: { [name: string]: string } = { project_id: created.project.id, tool: "bazel" };
  for (const method of methods.filter(({ parent }) => !partOf(parent).isMissing)) {
    const field = method.input.fields.find((each) => getOption(each, max) > 0);
    if (!field) continue;
    const address = `${method.parent.name}/${method.name}`;
    // Creating needs another name each time.
    const given: typeof values = { ...values, ...(method.name === "Create" && { name: "tools" }) };
    const request = method.input.fields
      .filter(({ name }) => name in given)
      .map(({ name }) => [name, given[name]]);
    const call = (value: number) =>
      server.call(address, { ...Object.fromEntries(request), [field.name]: value });
    expect((await call(getOption(field, max))).status, address).toBe(200);
    const { status, body } = await call(getOption(field, max) + 1);
    expect([address, status, body.code]).toEqual([address, 400, "invalid_argument"]);
  }
});

test("3. missing parts", async () => {
  for (const service of services) {
    const { name, isMissing } = partOf(service);
    if (!isMissing) continue;
    const { run } = table.get(addressOfMethod(service.methods[0]!))!;
    const message = await run({} as never, {} as never).catch(String);
    expect(message).toContain("not part of this server yet.");
    expect(String(message).toLowerCase()).toContain(name.toLowerCase());
  }
});

test("4. required fields", async () => {
  await using server = await openTestApi("sqlite");
  const unary = methods.filter(
    ({ parent, methodKind }) => methodKind === "unary" && !partOf(parent).isMissing,
  );
  for (const method of unary.filter(({ input }) =>
    input.fields.some((field) => getOption(field, required)),
  )) {
    const address = `${method.parent.name}/${method.name}`;
    const { status, body } = await server.call(address, {});
    // No object has an empty id.
    expect([address, [400, 404].includes(status), body.code]).toEqual([
      address,
      true,
      expect.stringMatching(/^(invalid_argument|not_found)$/),
    ]);
  }
});

test("5. statuses", () => {
  for (const { code, http } of errors) {
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
