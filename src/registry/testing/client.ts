/** For tests: a registry with an organization, its projects and tokens, and a client for any request. */
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { join } from "node:path";
import { createProject, createToken } from "#accounts/index.ts";
import { makePerson, type TestPerson } from "#accounts/testing/accounts.ts";
import type { DatabaseKind } from "#platform/database/columns.ts";
import type { Log, LogFields } from "#platform/log/log.ts";
import { openTestRegistry, type TestRegistry, type TestRegistryOptions } from "./registry.ts";

export interface TestClient {
  test: TestRegistry;
  ask: (method: string, path: string, options?: AskOptions) => Promise<Answer>;
  /** Owner of `acme`, which has the projects `web` and `api`. */
  owner: TestPerson;
  organizationId: string;
  projects: Readonly<Record<"web" | "api", string>>;
  /** `project` and `projectReader` are of `web`, `stranger` of another organization with the project `evil/loot`. */
  tokens: Readonly<
    Record<"organization" | "user" | "reader" | "project" | "projectReader" | "stranger", string>
  >;
  /** Warnings and errors for the operator. */
  logged: LogFields[];
  /** Files of the byte store, finished or not. */
  files: () => string[];
  close: () => Promise<void>;
}

export interface AskOptions {
  /** Default: the organization's. */
  token?: string | null;
  /** Undefined headers are not sent. */
  headers?: Readonly<Record<string, string | undefined>>;
  body?: Uint8Array | string;
}

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  text: string;
  /** The first code of an error; "": none. */
  code: string;
}

export const digestOf = (content: Uint8Array | string, algorithm = "sha256"): string =>
  `${algorithm}:${createHash(algorithm).update(content).digest("hex")}`;

export async function openTestClient(
  kind: DatabaseKind = "sqlite",
  options: TestRegistryOptions = {},
): Promise<TestClient> {
  const logged: LogFields[] = [];
  const note = (_message: string, fields?: LogFields) => void logged.push(fields ?? {});
  const log: Log = { debug() {}, info() {}, warn: note, error: note, writes: () => false, flush() {} };
  const test = await openTestRegistry(kind, { log, ...options });
  const people = await makePeople(test);
  return {
    test,
    ...people,
    logged,
    ask: (method, path, asked) =>
      ask(new URL(test.url).port, { method, path }, { token: people.tokens.organization, ...asked }),
    files: () =>
      readdirSync(test.folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name)),
    close: () => test.close(),
  };
}

async function makePeople({ accounts }: TestRegistry) {
  const owner = await makePerson({ accounts }, "ada", { organization: "acme" });
  const stranger = await makePerson({ accounts }, "eve", { organization: "evil" });
  const organizationId = owner.caller.actor.organizationId ?? "";
  const project = async ({ caller }: TestPerson, name: string) =>
    (await createProject(accounts, caller, { name })).id;
  const projects = { web: await project(owner, "web"), api: await project(owner, "api") };
  await project(stranger, "loot");
  const make = async ({ caller }: TestPerson, type: string, more: object = {}) =>
    (await createToken(accounts, caller, { name: `a ${type} token`, type, ...more })).secret;
  const tokens = {
    organization: await make(owner, "org"),
    user: await make(owner, "user"),
    reader: await make(owner, "org", { readOnly: true }),
    project: await make(owner, "project", { projectId: projects.web }),
    projectReader: await make(owner, "project", { projectId: projects.web, readOnly: true }),
    stranger: await make(stranger, "org"),
  };
  return { owner, organizationId, projects, tokens };
}

/** Over a connection of its own; rejects when it is cut. */
function ask(
  port: string,
  // As written: no part of the path is resolved.
  to: { path: string; method: string },
  { token, headers = {}, body }: AskOptions,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({
      host: "127.0.0.1",
      port,
      ...to,
      agent: false,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined &&
          !headers["transfer-encoding"] && { "content-length": Buffer.byteLength(body) }),
        ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)),
      },
    });
    sent.once("error", reject).once("response", (answer) => {
      const chunks: Buffer[] = [];
      answer
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .once("error", reject)
        .once("end", () => {
          const bytes = Buffer.concat(chunks);
          const text = bytes.toString("utf8");
          const { statusCode: status = 0, headers: told } = answer;
          const isJson = told["content-type"] === "application/json";
          const code = status >= 400 && isJson && text ? codeOf(text) : "";
          resolve({ status, headers: told, body: bytes, text, code });
        });
    });
    sent.end(body);
  });
}

const codeOf = (text: string) =>
  (JSON.parse(text) as { errors?: { code: string }[] }).errors?.[0]?.code ?? "";
