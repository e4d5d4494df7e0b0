/** Bodies that are stored first, as any bytes, and read by the server later: only then is their kind known. */
import { createHash } from "node:crypto";
import { create, toBinary } from "@bufbuild/protobuf";
import { reapiMessages } from "#cache/index.ts";
import { frameMessage } from "#platform/grpc/split-messages.ts";
import { OCI_IMAGE } from "../registry-client.ts";
import type { Carried } from "./carry.ts";

/** Requests that are sent in sequence, still without their sender's headers. */
export type Steps = (body: Buffer) => Step[];
export type Step = Pick<Carried, "method" | "path" | "headers" | "body" | "isHttp2">;

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const digestOf = (bytes: Uint8Array) => ({ hash: hashOf(bytes), sizeBytes: BigInt(bytes.length) });

const keep = (body: Buffer): Step => ({
  method: "PUT",
  path: `/cache/bazel/cas/${hashOf(body)}`,
  headers: {},
  body,
  isHttp2: false,
});

function call(method: string, message: Uint8Array): Step {
  return {
    method: "POST",
    path: `/build.bazel.remote.execution.v2.${method}`,
    headers: { "content-type": "application/grpc" },
    body: frameMessage(message),
    isHttp2: true,
  };
}

const {
  ActionSchema,
  ActionResultSchema,
  GetActionResultRequestSchema,
  GetTreeRequestSchema,
  UpdateActionResultRequestSchema,
} = reapiMessages;

/** A folder, which a client requests with everything below it. */
export const directory: Steps = (body) => {
  const request = create(GetTreeRequestSchema, { rootDigest: digestOf(body) });
  return [keep(body), call("ContentAddressableStorage/GetTree", toBinary(GetTreeRequestSchema, request))];
};

/** A folder that an action has made, which is looked through before its result is a hit. */
export const tree: Steps = (body) => {
  const made = create(ActionResultSchema, {
    outputDirectories: [{ path: "out", treeDigest: digestOf(body) }],
  });
  return [keep(body), ...resultOf(digestOf(body), made)];
};

/** An action's command, which is compared with the former command when its result was missed. */
export const command: Steps = (body) => {
  const action = Buffer.from(toBinary(ActionSchema, create(ActionSchema, { commandDigest: digestOf(body) })));
  return [
    keep(body),
    keep(action),
    ...resultOf(digestOf(action), create(ActionResultSchema, { exitCode: 0 })),
  ];
};

function resultOf(actionDigest: ReturnType<typeof digestOf>, actionResult: reapiMessages.ActionResult) {
  const ask = toBinary(GetActionResultRequestSchema, create(GetActionResultRequestSchema, { actionDigest }));
  const write = create(UpdateActionResultRequestSchema, { actionDigest, actionResult });
  return [
    call("ActionCache/GetActionResult", ask),
    call("ActionCache/UpdateActionResult", toBinary(UpdateActionResultRequestSchema, write)),
    call("ActionCache/GetActionResult", ask),
  ];
}

/** An image's config, which is shown with it. @param base `/v2/first/web` */
export const imageConfig =
  (base: string, project: string): Steps =>
  (body) => {
    const digest = `sha256:${hashOf(body)}`;
    const config = { mediaType: "application/vnd.oci.image.config.v1+json", digest, size: body.length };
    const manifest = Buffer.from(
      JSON.stringify({ schemaVersion: 2, mediaType: OCI_IMAGE, config, layers: [] }),
    );
    const step = (method: string, path: string, type: string, sent: Buffer): Step => ({
      method,
      path,
      headers: { "content-type": type },
      body: sent,
      isHttp2: false,
    });
    const question = Buffer.from(JSON.stringify({ project_id: project, reference: "worst" }));
    return [
      step("POST", `${base}/blobs/uploads/?digest=${digest}`, "application/octet-stream", body),
      step("PUT", `${base}/manifests/worst`, OCI_IMAGE, manifest),
      step("POST", "/api/millrace.v1.ImageService/Get", "application/json", question),
    ];
  };
