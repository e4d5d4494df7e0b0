/**
 * Every endpoint that takes a body, read from the code: methods from the contracts, routes from the application, the tools
 * and the registry. Anything else has no way in (`worst.test.ts`).
 */
import type { DescMessage, DescMethod } from "@bufbuild/protobuf";
import { completeActionResult, createProtocols, reapiMessages } from "#cache/index.ts";
import { registryRoutes } from "#registry/index.ts";
import { builderCalls, TUNNEL_PATH } from "#builds/index.ts";
import { bodiesFor } from "../fuzz/bodies.ts";
import type { OtherEndpoints, Site } from "../fuzz/routes.ts";
import { binaryShapes } from "./binary.ts";
import { type Contract, pathOf } from "./contract.ts";
import { envelopeShapes, formShapes, frameShapes, tableShapes } from "./forms.ts";
import { jsonShapes, shapesOfBody, shapesOfMessage } from "./json.ts";
import { sessionShapes } from "./session.ts";
import type { Shape } from "./shapes.ts";
import { command, directory, imageConfig, type Step, type Steps, tree } from "./stored.ts";

/** One address at one endpoint, and its requests. */
export interface Cell {
  /** Figures are reported for each. */
  endpoint: string;
  method: string;
  path: string;
  type: string;
  isHttp2?: boolean;
  /** Each message has five bytes before it. */
  isFramed?: boolean;
  isBase64?: boolean;
  shapes: readonly Shape[];
  /** Whole bodies, in place of what `shapes` make. */
  bodies?: readonly Shape[];
  /** Stores a body and has it read, instead of one request. */
  steps?: Steps;
  /** Reached with the certificate of a build. */
  isBuilder?: boolean;
  /** Its answer may have no end. */
  isStream?: boolean;
}

export interface Places {
  /** `/v2/first/web` */
  repository: string;
  /** Its project's id. */
  project: string;
  /** Whether a build has given a certificate. */
  hasBuilder: boolean;
}

type RpcEndpoint = Pick<Cell, "endpoint" | "type" | "isHttp2" | "isFramed" | "isBase64"> & {
  prefix: "" | "/api";
  isJson: boolean;
};

const rpcEndpoints: readonly RpcEndpoint[] = [
  { endpoint: "Connect, JSON", type: "application/json", prefix: "/api", isJson: true },
  {
    endpoint: "Connect, JSON, HTTP/2",
    type: "application/json",
    prefix: "/api",
    isJson: true,
    isHttp2: true,
  },
  { endpoint: "Connect, bytes", type: "application/proto", prefix: "/api", isJson: false },
  {
    endpoint: "Connect, bytes, HTTP/2",
    type: "application/proto",
    prefix: "/api",
    isJson: false,
    isHttp2: true,
  },
  {
    endpoint: "Connect's streams, JSON",
    type: "application/connect+json",
    prefix: "/api",
    isJson: true,
    isFramed: true,
  },
  {
    endpoint: "Connect's streams, bytes",
    type: "application/connect+proto",
    prefix: "/api",
    isJson: false,
    isFramed: true,
  },
  { endpoint: "gRPC", type: "application/grpc", prefix: "", isJson: false, isFramed: true, isHttp2: true },
  {
    endpoint: "gRPC below /api",
    type: "application/grpc+proto",
    prefix: "/api",
    isJson: false,
    isFramed: true,
    isHttp2: true,
  },
  {
    endpoint: "gRPC, JSON",
    type: "application/grpc+json",
    prefix: "",
    isJson: true,
    isFramed: true,
    isHttp2: true,
  },
  { endpoint: "gRPC-Web", type: "application/grpc-web+proto", prefix: "", isJson: false, isFramed: true },
  {
    endpoint: "gRPC-Web, JSON",
    type: "application/grpc-web+json",
    prefix: "/api",
    isJson: true,
    isFramed: true,
  },
  {
    endpoint: "gRPC-Web, text",
    type: "application/grpc-web-text+proto",
    prefix: "",
    isJson: false,
    isFramed: true,
    isBase64: true,
  },
];

export function cellsOf(
  site: Pick<Site, "routes">,
  contract: Contract,
  { repository, project, hasBuilder }: Places,
): Cell[] {
  return [
    ...contract.methods.flatMap(cellsOfMethod),
    ...site.routes.flatMap(cellsOfRoute),
    ...cellsOfTools(),
    ...cellsOfRegistry(repository),
    ...cellsOfStored(repository, project),
    { endpoint: "a tunnel", method: "POST", path: TUNNEL_PATH, type: "application/json", shapes: jsonShapes },
    ...(hasBuilder ? cellsOfBuilders(contract) : []),
  ];
}

/** Attacked below, each with bodies of its own; what leaves HTTP leads to the builders. */
const ROOMS = ["/cache/", "/v2/", TUNNEL_PATH];
const OTHERS = ["upgrade", "tlsName"];

/** Endpoints of the server that nothing here attacks. */
export function unknownEndpoints({ methods, rooms, others }: OtherEndpoints, contract: Contract): string[] {
  const known = new Set([...contract.methods.map(pathOf), ...ROOMS, ...OTHERS]);
  return [...methods, ...rooms, ...others].filter((endpoint) => !known.has(endpoint));
}

const binary = remember(binaryShapes);
const json = remember(shapesOfMessage);

export function cellsOfMethod(method: DescMethod): Cell[] {
  return rpcEndpoints.map(({ prefix, isJson, ...endpoint }) => ({
    ...endpoint,
    method: "POST",
    path: prefix + pathOf(method),
    isStream: method.methodKind !== "unary",
    ...(endpoint.isFramed && { bodies: frameShapes }),
    get shapes() {
      return isJson ? json(method.input) : binary(method.input);
    },
  }));
}

/** A message has hundreds of shapes, and is sent to many endpoints. */
function remember(make: (schema: DescMessage) => Shape[]): (schema: DescMessage) => Shape[] {
  const made = new Map<DescMessage, Shape[]>();
  return (schema) => {
    const shapes = made.get(schema) ?? make(schema);
    made.set(schema, shapes);
    return shapes;
  };
}

/** Bodies that are not JSON, by what a route's address begins with. */
const OTHER_TYPES: readonly [begin: RegExp, type: string, shapes: readonly Shape[]][] = [
  [/\/documents$/, "application/x-ndjson", jsonShapes],
  [/\/documents$/, "text/csv", tableShapes],
  [/^\/ingest/, "application/x-www-form-urlencoded", formShapes],
  [/^\/ingest/, "text/plain", jsonShapes],
  [/^\/errors/, "application/x-sentry-envelope", envelopeShapes],
  [/^\/oauth/, "application/x-www-form-urlencoded", formShapes],
];

function cellsOfRoute({ method, path }: Site["routes"][number]): Cell[] {
  // The routes of the API are attacked as methods.
  if (method === "GET" || method === "HEAD" || path.startsWith("/api/millrace")) return [];
  const verb = method === "ALL" ? "POST" : method;
  const endpoint = `${verb} ${path}`;
  // No one changes the pages' own index over HTTP.
  const index = path.startsWith("/search/") ? WRITTEN_INDEX : "docs";
  const address = path.replace(/:(\w+)(\{[^}]*\})?/g, index).replaceAll("*", "x");
  const bodies = bodiesFor(path);
  const shapes = [...jsonShapes, ...bodies.flatMap(shapesOfBody)];
  const cell = { endpoint, method: verb, path: address };
  const others = OTHER_TYPES.filter(([begin]) => begin.test(path));
  return [
    { ...cell, type: "application/json", shapes },
    ...others.map(([, type, own]) => ({ ...cell, type, shapes: own })),
  ];
}

/** An index that routes may change. */
export const WRITTEN_INDEX = "worst";

const TAKING = new Set(["POST", "PUT", "PATCH", "PROPFIND", "MKCOL"]);

function cellsOfTools(): Cell[] {
  return createProtocols(completeActionResult).flatMap(({ tool, routes }) =>
    routes.flatMap(({ example, methods }) =>
      Object.keys(methods)
        .filter((verb) => TAKING.has(verb))
        .map((method) => ({
          endpoint: `${method} /cache/${tool}`,
          method,
          path: `/cache/${tool}${example}`,
          type: "application/json",
          shapes: [...jsonShapes, ...TOOL_BODIES.flatMap(shapesOfBody), ...binary(result)],
          ...(method === "PUT" && { steps: putAndGet(`/cache/${tool}${example}`) }),
        })),
    ),
  );
}

/** Go's tool says what each entry is. */
const ENTRY = { "x-output-id": "0".repeat(64), "x-time": "1" };

const putAndGet =
  (path: string): Steps =>
  (body) => {
    const step = (method: string, sent: Buffer): Step => ({
      method,
      path,
      headers: ENTRY,
      body: sent,
      isHttp2: false,
    });
    return [step("PUT", body), step("GET", Buffer.alloc(0))];
  };

const result = reapiMessages.ActionResultSchema;

/** Turborepo's and Go's questions about many entries in one request. */
const TOOL_BODIES = [{ hashes: ["969d4d0a3862f092"] }, { actions: ["0".repeat(64)] }];

function cellsOfRegistry(repository: string): Cell[] {
  const manifest = {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: { mediaType: "a", digest: `sha256:${"0".repeat(64)}`, size: 1 },
    layers: [{ mediaType: "a", digest: `sha256:${"0".repeat(64)}`, size: 1, annotations: { a: "b" } }],
    annotations: { a: "b" },
  };
  return registryRoutes.flatMap(({ example, methods }) =>
    Object.keys(methods)
      .filter((verb) => TAKING.has(verb))
      .map((method) => ({
        endpoint: `${method} /v2/…${example.split("/", 2).join("/")}`,
        method,
        path: `${repository}${example}`,
        type: MANIFEST,
        shapes: [...jsonShapes, ...shapesOfBody(manifest)],
      })),
  );
}

function cellsOfStored(repository: string, project: string): Cell[] {
  const { CommandSchema, DirectorySchema, TreeSchema } = reapiMessages;
  const config = {
    architecture: "amd64",
    os: "linux",
    config: { Labels: { "org.opencontainers.image.revision": "0".repeat(40) } },
    history: [{ created_by: "RUN true", empty_layer: false }],
    rootfs: { type: "layers", diff_ids: [] },
  };
  const kinds: [endpoint: string, steps: Steps, shapes: Shape[]][] = [
    ["a stored folder", directory, binary(DirectorySchema)],
    ["a stored tree", tree, binary(TreeSchema)],
    ["a stored command", command, binary(CommandSchema)],
    [
      "a stored config of an image",
      imageConfig(repository, project),
      [...jsonShapes, ...shapesOfBody(config)],
    ],
  ];
  return kinds.map(([endpoint, steps, shapes]) => ({
    endpoint,
    method: "PUT",
    path: "",
    type: "",
    steps,
    shapes,
  }));
}

const BUILDER = { method: "POST", type: "application/grpc", isHttp2: true, isFramed: true, isBuilder: true };

/** Calls without a message of ours are passed on unread. */
function cellsOfBuilders({ methods, messages }: Contract): Cell[] {
  return [...builderCalls.keys()].map((path) => {
    const [, service = "", name = ""] = path.split("/");
    const named = messages.get(`${service.replace(/\.[^.]*$/, "")}.${name}Request`);
    const input =
      methods.find((method) => pathOf(method) === path)?.input ?? named ?? messages.values().next().value!;
    const isSession = name === "Session";
    return {
      ...BUILDER,
      endpoint: "a builder",
      path,
      isStream: true,
      bodies: isSession ? [...frameShapes, ...sessionShapes] : frameShapes,
      shapes: binary(input),
    };
  });
}

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
