/**
 * 1. Requests of buildx and buildctl are let through unchanged.
 * 2. Everything that would reach beyond the build is refused, with an error that says what to do.
 * 3. The same holds for requests within a running build, and for graphs within graphs.
 * 4. Whatever is sent, nothing that is let through has an entitlement, an output or a cache that is not allowed.
 */
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SolveRequestSchema } from "#builds/gen/buildkit/control_pb.ts";
import { SolveRequestSchema as GatewaySolveSchema } from "#builds/gen/buildkit/gateway_pb.ts";
import { OpSchema } from "#builds/gen/buildkit/ops_pb.ts";
import { GrpcError } from "#platform/grpc/grpc-error.ts";
import { judgeGatewaySolve, judgeSolve } from "./judge-solve.ts";
import type { SolveRules } from "./solve-rules.ts";

type Solve = MessageInitShape<typeof SolveRequestSchema>;
const REF = "ot9b92gfxsth1ic5j3j9ikwut";
const CLOSED: SolveRules = { entitlements: new Set(), mayPush: false };
const OPEN: SolveRules = { entitlements: new Set(["network.host", "device"]), mayPush: true };
const owns = (id: string) => id === "own";

function judge(solve: Solve, rules = OPEN): string | null {
  try {
    judgeSolve(toBinary(SolveRequestSchema, create(SolveRequestSchema, { ref: REF, ...solve })), rules, owns);
    return null;
  } catch (error) {
    return error instanceof GrpcError ? error.message : String(error);
  }
}

const graph = (op: MessageInitShape<typeof OpSchema>) => ({
  def: [toBinary(OpSchema, create(OpSchema, op))],
});
const S3 = { bucket: "b", region: "r", access_key_id: "k", secret_access_key: "s" };

test("1. what clients send is let through", () => {
  const usual: Solve[] = [
    { session: "own", frontend: "dockerfile.v0", frontendAttrs: { "build-arg:A": "1", target: "web" } },
    { exporters: [{ type: "image", attrs: { name: "localhost:3000/acme/web:1", push: "true" } }] },
    { exporters: [{ type: "oci" }, { type: "local" }, { type: "docker" }, { type: "tar" }] },
    { cache: { exports: [{ type: "inline" }, { type: "registry", attrs: { ref: "a/b:c" } }] } },
    {
      cache: {
        imports: [
          { type: "s3", attrs: S3 },
          { type: "gha", attrs: { token: "t", url: "u" } },
        ],
      },
    },
    { frontendAttrs: { "cache-imports": '[{"Type":"registry","Attrs":{"ref":"a/b:c"}}]' } },
    { entitlements: ["network.host", "device=vendor.com/gpu=all"] },
    { internal: true, frontendAttrs: { requestid: "frontend.lint" } },
    { definition: graph({ op: { case: "exec", value: { meta: { args: ["true"] }, network: 1 } } }) },
    {
      definition: graph({
        op: { case: "source", value: { identifier: "local://x", attrs: { "local.session": "own" } } },
      }),
    },
  ];
  for (const solve of usual) expect(judge(solve), JSON.stringify(solve)).toBeNull();
  const summary = judgeSolve(
    toBinary(
      SolveRequestSchema,
      create(SolveRequestSchema, {
        ref: REF,
        exporterDeprecated: "tar",
        cache: { exportRefDeprecated: "a/b" },
      }),
    ),
    OPEN,
    owns,
  );
  expect(summary.exporters).toStrictEqual([{ type: "tar", attributes: {} }]);
  expect(summary.cacheExports).toStrictEqual([{ type: "registry", attributes: { ref: "a/b" } }]);
});

test("2. what reaches further is refused", () => {
  const refused: [Solve, RegExp, SolveRules?][] = [
    [{ ref: "../../etc" }, /^Ref must be 16 to 64/],
    [{ ref: "short" }, /^Ref must be/],
    [
      { entitlements: ["security.insecure"] },
      /^granting entitlement security.insecure is not allowed by build daemon configuration$/,
    ],
    [{ entitlements: ["device=a"] }, /entitlement device is not allowed/, CLOSED],
    [{ exporters: [{ type: "containerd" }] }, /exporter "containerd" is not supported; builders support/],
    [{ exporterDeprecated: "moby" }, /exporter "moby"/],
    [{ exporters: [{ type: "image", attrs: { push: "true" } }] }, /may build, but not push/, CLOSED],
    [{ exporters: [{ type: "image", attrs: { push: "" } }] }, /not push/, CLOSED],
    [{ exporterDeprecated: "image", exporterAttrsDeprecated: { push: "1" } }, /not push/, CLOSED],
    [{ cache: { exports: [{ type: "registry", attrs: { ref: "a" } }] } }, /not push/, CLOSED],
    [{ cache: { exportRefDeprecated: "a/b" } }, /not push/, CLOSED],
    [{ enableSessionExporter: true }, /not push/, CLOSED],
    [
      { cache: { imports: [{ type: "s3", attrs: { ...S3, secret_access_key: "" } }] } },
      /cache s3 needs secret_access_key/,
    ],
    [{ cache: { exports: [{ type: "azblob" }] } }, /account_url, account_name, secret_access_key/],
    [{ cache: { imports: [{ type: "file" }] } }, /cache "file" is not supported/],
    [{ frontendAttrs: { "cache-imports": '[{"Type":"s3","Attrs":{}}]' } }, /cache s3 needs/],
    // Go treats these names as the same, and the last one counts.
    [
      { frontendAttrs: { "cache-imports": '[{"Type":"inline","type":"s3"}]' } },
      /not a list of Type and Attrs/,
    ],
    [
      { frontendAttrs: { "cache-imports": '[{"Type":"inline","Attrſ":{}}]' } },
      /not a list of Type and Attrs/,
    ],
    [{ frontendAttrs: { "cgroup-parent": "/" } }, /cgroup/],
    [{ frontendAttrs: { "local-sessionid:context": "foreign" } }, /session of another build/],
    [{ session: "foreign" }, /session of another build/],
    [{ sourcePolicySession: "foreign" }, /session of another build/],
    [{ proxyNetwork: true }, /--proxy-network/],
    [{ internal: true, exporters: [{ type: "local" }] }, /without a record cannot have outputs/],
    [{ definition: graph({ op: { case: "exec", value: { meta: { cgroupParent: "/" } } } }) }, /cgroup/],
    [
      {
        frontendInputs: {
          web: graph({ op: { case: "source", value: { attrs: { "oci.session": "foreign" } } } }),
        },
      },
      /session of another build/,
    ],
    [{ definition: { def: [Uint8Array.of(255, 255)] } }, /the bytes are not a valid Op/],
  ];
  for (const [solve, expected, rules] of refused)
    expect(judge(solve, rules), JSON.stringify(Object.keys(solve))).toMatch(expected);
});

test("3. within a build, and within graphs", () => {
  const within = graph({ op: { case: "source", value: { attrs: { "local.session": "foreign" } } } });
  expect(judge({ definition: graph({ op: { case: "build", value: { def: within } } }) })).toMatch(/session/);
  expect(judge({ definition: { source: { infos: [{ definition: within }] } } })).toMatch(/session/);
  let deep = within;
  for (let depth = 0; depth < 2000; depth += 1) deep = graph({ op: { case: "build", value: { def: deep } } });
  expect(judge({ definition: deep })).toMatch(/at most 24 deep/);
  const ask = (solve: MessageInitShape<typeof GatewaySolveSchema>) => () =>
    judgeGatewaySolve(toBinary(GatewaySolveSchema, create(GatewaySolveSchema, solve)), owns);
  expect(ask({ frontend: "dockerfile.v0", frontendOpt: { target: "web" } })().frontend).toBe("dockerfile.v0");
  expect(ask({ cacheImports: [{ type: "s3" }] })).toThrow(/cache s3 needs/);
  expect(ask({ frontendOpt: { "cgroup-parent": "/" } })).toThrow(/cgroup/);
  expect(ask({ frontendInputs: { a: within } })).toThrow(/session/);
});

test("4. nothing else is let through", () => {
  const word = fc.constantFrom(
    "image",
    "tar",
    "moby",
    "registry",
    "s3",
    "inline",
    "network.host",
    "device=x",
    "security.insecure",
    "push",
    "true",
    "ref",
    "",
  );
  const entry = fc.record({ type: word, attrs: fc.dictionary(word, word, { maxKeys: 3 }) });
  const many = fc.array(entry, { maxLength: 3 });
  const solve = fc.record({
    exporters: many,
    entitlements: fc.array(word),
    cache: fc.record({ exports: many, imports: many }),
  });
  fc.assert(
    fc.property(solve, (value) => {
      if (judge(value, CLOSED) !== null) return;
      expect(value.entitlements).toStrictEqual([]);
      expect(
        value.exporters.every(({ type, attrs }) => /^(?:image|tar)$/.test(type) && !("push" in attrs)),
      ).toBe(true);
      expect(value.cache.exports.every(({ type }) => type === "inline")).toBe(true);
    }),
    { numRuns: 2000 },
  );
});
