/** grpcurl, from Go's module proxy into the cache folder. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "#server/pages/build-folders.ts";
import { run } from "./run.ts";

const VERSION = "1.9.3";

/** @returns its path; null, with a message, where there is no Go or no proxy */
export function findGrpcurl(): string | null {
  const folder = join(cacheFolder, `grpcurl-${VERSION}`);
  const program = join(folder, "grpcurl");
  if (existsSync(program)) return program;
  try {
    const package_ = `github.com/fullstorydev/grpcurl/cmd/grpcurl@v${VERSION}`;
    execFileSync("go", ["install", package_], { env: { ...process.env, GOBIN: folder }, stdio: "pipe" });
    return program;
  } catch (error) {
    console.warn(`Without grpcurl: ${String(error).slice(0, 500)}`);
    return null;
  }
}

export interface GrpcCall {
  port: number;
  /** `millrace.v1.ProjectService/List` */
  method: string;
  body?: object;
  headers?: Record<string, string>;
}

/** Its exit code is 64 and gRPC's code when the call fails. */
export async function runGrpcurl(program: string, { port, method, body = {}, headers = {} }: GrpcCall) {
  const [, service = ""] = /\.(\w+)Service\//.exec(method) ?? [];
  const file = `millrace/v1/${service.toLowerCase()}_service.proto`;
  return run(program, [
    "-plaintext",
    "-import-path",
    "proto",
    "-proto",
    file,
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    "-d",
    JSON.stringify(body),
    `127.0.0.1:${port}`,
    method,
  ]);
}
