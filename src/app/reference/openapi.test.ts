/**
 * 1. Every method of this server's own document is listed with its fields. 2. Any other document gives a list, perhaps
 *    empty, and never fails, even with circles and nonsense.
 */
import fc from "fast-check";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { listMethods } from "./openapi.ts";

const own: unknown = JSON.parse(readFileSync(new URL("../../api/gen/openapi.json", import.meta.url), "utf8"));

test("1. this server's document", () => {
  const methods = listMethods(own);
  expect(new Set(methods.map(({ id }) => id)).size).toBe(methods.length);
  const ids = methods.map(({ id }) => id);
  for (const id of ["AccountService/WhoAmI", "ProjectService/Create", "TokenService/Revoke"])
    expect(ids).toContain(id);
  const create = methods.find(({ id }) => id === "ProjectService/Create");
  expect(create?.path).toBe("/api/millrace.v1.ProjectService/Create");
  expect(create?.request.map(({ name }) => name)).toContain("name");
  for (const { summary, request, response } of methods) {
    expect(summary).not.toBe("");
    for (const field of [...request, ...response]) expect(field.type).not.toBe("any");
  }
});

test("2. circles", () => {
  const document = {
    paths: {
      "/api/millrace.v1.TreeService/Get": {
        post: {
          requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Tree" } } } },
        },
      },
    },
    components: {
      schemas: {
        Tree: {
          type: "object",
          required: ["child"],
          properties: { child: { $ref: "#/components/schemas/Tree" } },
        },
      },
    },
  };
  const [method] = listMethods(document);
  expect(method?.request).toEqual([{ name: "child", type: "Tree", isRequired: true, text: "" }]);
  expect(JSON.stringify(method?.example)).toContain("child");
});

test("2. nonsense", () => {
  fc.assert(fc.property(fc.jsonValue(), (document) => void listMethods(document)));
  fc.assert(
    fc.property(fc.jsonValue(), (schema) => {
      const post = { requestBody: { content: { "application/json": { schema } } } };
      expect(listMethods({ paths: { "/x.v1.S/M": { post } } })).toHaveLength(1);
    }),
  );
});
