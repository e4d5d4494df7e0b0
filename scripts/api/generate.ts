import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { loadFacts } from "#docs/content/facts/facts.ts";
import { root } from "#server/pages/build-folders.ts";
import { API_FACTS_FILE, makeApiFacts } from "./make-api-facts.ts";
import { makeJsonTypes } from "./make-json-types.ts";
import { makeOpenApi } from "./make-openapi.ts";

const GENERATED = [
  { template: "proto/api.gen.yaml", path: "proto/millrace" },
  { template: "proto/api.gen.yaml", path: "proto/google" },
  { template: "proto/health.gen.yaml", path: "proto/grpc" },
  { template: "proto/reapi.gen.yaml", path: "proto/reapi" },
  { template: "proto/buildkit.gen.yaml", path: "proto/buildkit" },
];

export const GENERATED_FOLDERS = [
  "src/api/gen",
  "src/platform/grpc/gen",
  "src/cache/messages/gen",
  "src/builds/gen",
];

const OPENAPI_FILE = "src/api/gen/openapi.json";
const JSON_TYPES_FILE = "src/api/gen/json-types.ts";

/** @param folder destination: the project, or a folder to compare with it. @throws Error with buf's output */
export async function generateApi(folder: string): Promise<void> {
  for (const { template, path } of GENERATED)
    runBuf("generate", "proto", "--template", template, "--path", path, "--output", folder);
  const contract = readContract();
  const codes = loadFacts(root).facts["api-errors"].errors.map(({ code }) => code);
  const openApi = JSON.stringify(makeOpenApi(contract, codes));
  mkdirSync(dirname(join(folder, OPENAPI_FILE)), { recursive: true });
  writeFileSync(join(folder, OPENAPI_FILE), openApi);
  writeFileSync(join(folder, JSON_TYPES_FILE), makeJsonTypes(contract));
  mkdirSync(dirname(join(folder, API_FACTS_FILE)), { recursive: true });
  writeFileSync(join(folder, API_FACTS_FILE), await makeApiFacts(contract));
  // Formatted like everything else, so that only changes of the contract change it.
  const prettier = ["node_modules/prettier/bin/prettier.cjs", "--write", "--log-level=warn"];
  const options = ["--config", join(root, ".prettierrc.json"), "--ignore-path", join(root, ".gitignore")];
  const folders = GENERATED_FOLDERS.map((each) => join(folder, each));
  execFileSync(process.execPath, [...prettier, ...options, ...folders], { cwd: root, stdio: "pipe" });
}

/** Every file of proto/millrace, with its comments. */
function readContract() {
  const image = runBuf("build", "proto", "--path", "proto/millrace", "--as-file-descriptor-set", "-o", "-");
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
}

/** @throws Error with its output */
function runBuf(...args: string[]): Uint8Array {
  return execFileSync(join(root, "node_modules/.bin/buf"), args, { cwd: root, stdio: "pipe" });
}
