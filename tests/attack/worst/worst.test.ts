/**
 * 1. Every method of every contract is attacked at each endpoint that speaks its messages, as are all routes, tools, and calls of a
 *    builder; endpoints that nothing attacks are named.
 * 2. No body is larger than asked for, and the worst are nearly as large.
 * 3. Bodies match their names: nested, of many values, valid where they are to be read on.
 * 4. A seed and a number make the same request again; every cell comes once before any comes twice.
 * 5. Every method, route, tool and stored form comes first, whatever the seed, from a caller who is let in.
 * 6. A request that keeps the event loop too long fails when it does so again three times, or is far too long even
 *    once.
 */
import { fromBinary, fromJsonString } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { builderCalls } from "#builds/index.ts";
import { reapiMessages } from "#cache/index.ts";
import { createRandom } from "../fuzz/random.ts";
import { binaryShapes } from "./binary.ts";
import { pathOf, readContract } from "./contract.ts";
import { type Cell, cellsOf, cellsOfMethod, unknownEndpoints } from "./endpoints.ts";
import { drawRequest, placesOf } from "./draw.ts";
import { jsonShapes, shapesOfBody, shapesOfMessage } from "./json.ts";
import { MOST_MS, STUCK_MS, stretchTooLong } from "./stretch.ts";

const contract = await readContract();
const site = {
  routes: [
    { method: "POST", path: "/multi-search" },
    { method: "ALL", path: "/ingest/*" },
    { method: "GET", path: "/docs" },
  ],
};
const places = { repository: "/v2/first/web", project: "prj_1", hasBuilder: true };
const cells = cellsOf(site, contract, places);
const random = createRandom(1);
/** Bytes; bodies that SDKs have sent have up to 20,000. */
const SIZE = 64_000;
/** Room for lengths that precede their content. */
const ROOM = 64;
/** There are tens of thousands. */
const EVERY = 13;

test("1. endpoints", () => {
  const services = new Set(contract.methods.map(({ parent }) => parent.typeName));
  for (const name of ["millrace.v1.AccountService", "grpc.health.v1.Health", "google.bytestream.ByteStream"])
    expect(services).toContain(name);
  const paths = new Set(cells.map(({ path }) => path));
  for (const method of contract.methods) {
    expect(paths).toContain(pathOf(method));
    expect(paths).toContain(`/api${pathOf(method)}`);
    expect(cellsOfMethod(method)).toHaveLength(12);
  }
  const ofBuilder = cells.filter(({ isBuilder }) => isBuilder).map(({ path }) => path);
  expect(ofBuilder).toEqual([...builderCalls.keys()]);
  for (const path of [
    "/multi-search",
    "/ingest/x",
    "/cache/turbo/v8/artifacts",
    "/v2/first/web/manifests/latest",
  ])
    expect(paths).toContain(path);
  const known = {
    methods: contract.methods.map(pathOf),
    rooms: ["/cache/", "/v2/"],
    others: ["upgrade", "tlsName"],
  };
  expect(unknownEndpoints(known, contract)).toEqual([]);
  const more = { methods: ["/new.v1.Service/Do"], rooms: ["/npm/"], others: ["ssh"] };
  expect(unknownEndpoints(more, contract)).toEqual(["/new.v1.Service/Do", "/npm/", "ssh"]);
});

test("2. sizes", () => {
  const all = new Set(cells.flatMap((cell: Cell) => [...cell.shapes, ...(cell.bodies ?? [])]));
  const shapes = [...all].filter((_, at) => at % EVERY === 0);
  expect(shapes.length).toBeGreaterThan(1_000);
  const large = shapes.filter(({ name, make }) => {
    const { length } = make(SIZE, random);
    expect([name, length <= SIZE + ROOM]).toEqual([name, true]);
    return length > SIZE * 0.9;
  });
  expect(large.length).toBeGreaterThan(shapes.length * 0.9);
});

test("3. what they are", () => {
  const { schema, body } = { schema: reapiMessages.ActionResultSchema, body: { a: { b: [1, 2] } } };
  const made = (name: string) =>
    binaryShapes(schema)
      .find((shape) => shape.name === name)!
      .make(SIZE, random);
  expect(fromBinary(schema, made("output_files, empty")).outputFiles).toHaveLength(SIZE / 2);
  expect(fromBinary(schema, made("output_files: path, letters")).outputFiles[0]?.path.length).toBeGreaterThan(
    SIZE * 0.95,
  );
  expect(fromBinary(schema, made("unknown numbers")).$unknown).toHaveLength(SIZE / 2);
  expect(() => fromBinary(schema, made("output_files: path, no UTF-8"))).toThrow();
  const valid = jsonShapes.filter(({ name }) => !/broken|exponent|digits/.test(name));
  for (const { name, make } of [
    ...valid,
    ...shapesOfBody(body).filter((shape) => !/exponent|number of/.test(shape.name)),
  ])
    expect([name, isJson(make(SIZE, random).toString())]).toEqual([name, true]);
  const texts = shapesOfMessage(reapiMessages.DigestSchema);
  const hash = texts
    .find(({ name }) => name === "hash: a text of letters")!
    .make(SIZE, random)
    .toString();
  expect(fromJsonString(reapiMessages.DigestSchema, hash).hash.length).toBeGreaterThan(SIZE * 0.95);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test("4. again", async () => {
  const callers = ["nobody", "an owner's token", "an owner's session", "the key of the search"];
  const plan = {
    cells: cells.slice(0, 16),
    callers: callers.map((name) => ({ name, headers: {} })),
    seed: 7,
  };
  const draw = (number: number) => drawRequest(plan, number);
  for (let number = 0; number < 5; number += 1) expect(await draw(number)).toEqual(await draw(number));
  const drawn = await Promise.all(plan.cells.map((_, number) => draw(number)));
  const addresses = drawn.map(({ title }) => title.split(") ")[0]!.replace(", HTTP/2)", ")"));
  expect(new Set(addresses).size).toBe(plan.cells.length);
});

test.each([1, 7, 865_595])("5. every place first, seed %i", async (seed) => {
  const callers = ["nobody", "an owner's token", "an owner's session", "the key of the search"];
  const plan = { cells, callers: callers.map((name) => ({ name, headers: {} })), seed };
  const places = placesOf(cells);
  const methods = contract.methods.map((method) => `POST ${pathOf(method)}`);
  for (const method of [...methods, "POST /multi-search", "POST /ingest/x", "a stored tree"])
    expect(places).toContain(method);
  // The same method at its other endpoints is the same place.
  expect([...places].filter((place) => /\/api\/\w+\./.test(place))).toEqual([]);
  const reached = new Set<string>();
  for (let number = 0; number < places.size; number += 1) {
    const { place, title } = await drawRequest(plan, number);
    reached.add(place);
    expect(title).not.toMatch(/from nobody$/);
  }
  expect(reached).toEqual(places);
});

test("6. too long", async () => {
  const asked: number[] = [];
  const again = (...stretches: number[]) => {
    asked.length = 0;
    return async () => {
      const next = stretches[asked.length] ?? 0;
      asked.push(next);
      return next;
    };
  };
  expect(await stretchTooLong(MOST_MS, again(90, 90, 90))).toBeNull();
  expect(asked).toEqual([]);
  expect(await stretchTooLong(80, again(70, 49, 90))).toBeNull();
  expect(asked).toEqual([70, 49]);
  expect(await stretchTooLong(80, again(70, 90, 51))).toBe(51);
  expect(asked).toEqual([70, 90, 51]);
  expect(await stretchTooLong(STUCK_MS + 1, again(1, 1, 1))).toBe(STUCK_MS + 1);
  expect(await stretchTooLong(80, again(STUCK_MS + 2, 1, 1))).toBe(STUCK_MS + 2);
});
