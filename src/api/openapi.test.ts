/** 1. `/openapi.json` is a valid OpenAPI 3.1 document that describes every method. */
import { Validator } from "@seriousme/openapi-schema-validator";
import { expect, test } from "vitest";
import { createMethodTable } from "./methods.ts";
import { openTestApi } from "./testing/api.ts";

test("1. the document", async () => {
  await using server = await openTestApi("sqlite");
  const response = await server.api.app.request("/openapi.json");
  expect(response.headers.get("content-type")).toBe("application/json");
  const document = await response.json();
  const validator = new Validator();
  expect(await validator.validate(document)).toMatchObject({ valid: true });
  expect(validator.version).toBe("3.1");
  const paths = [...createMethodTable().keys()].map((address) => `/api${address}`);
  expect(Object.keys(document.paths).toSorted()).toEqual(paths.toSorted());
  expect(document.components.schemas.ProjectServiceCreateRequest).toMatchObject({ required: ["name"] });
});
