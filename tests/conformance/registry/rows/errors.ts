/** Errors: their codes, and their form. */
import { beginUpload, octets } from "../content.ts";
import { digestOf } from "../repository.ts";
import type { Row } from "../row.ts";

const FORM =
  "If the response body is in JSON format, it MUST have the following format: { errors: [{ code, message, detail }] } The code field MUST be a unique identifier, containing only uppercase alphabetic characters and underscores.";

export const errorRows: readonly Row[] = [
  ...(
    [
      ["GET", `blobs/${digestOf("nowhere")}`, 404, "BLOB_UNKNOWN"],
      ["GET", "manifests/latest", 404, "MANIFEST_UNKNOWN"],
      ["GET", "blobs/sha256:baddigeststring", [400, 404], ["DIGEST_INVALID", "BLOB_UNKNOWN"]],
      ["DELETE", `blobs/${digestOf("nowhere")}`, 404, "BLOB_UNKNOWN"],
    ] as const
  ).map(([method, path, status, code]): Row => ({
    section: "Error Codes",
    sentence: FORM,
    of: `${method} ${path}`,
    // The form is checked for every answer.
    prove: (here) => here.ask(method, path, { status, code }),
  })),
  {
    section: "Error Codes",
    sentence: "code-3 BLOB_UPLOAD_UNKNOWN blob upload unknown to registry",
    of: "a made-up upload",
    async prove(here) {
      const made = (await beginUpload(here)).replace(/[^/?]+(?=$|\?)/, "upl_0000000000");
      await here.ask("PATCH", made, { status: [400, 404] }, { headers: octets, body: "1" });
      await here.ask("GET", made, { status: [400, 404] });
    },
  },
  ...["/v2/UPPER/case/tags/list", "/v2/-first/last/tags/list", "/v2/a..b/c/tags/list"].map((path): Row => ({
    section: "Error Codes",
    sentence: "code-8 NAME_INVALID invalid repository name",
    of: path,
    prove: (here) => here.ask("GET", path, { status: [400, 404], code: ["NAME_INVALID", "UNSUPPORTED"] }),
  })),
];
