/** The process's environment, checked once at start; every problem is reported together. */
import { z } from "zod";
import { blobVariables } from "#platform/blobs/variables.ts";
import { nameOfHost, type ServerEnvironment, serverVariables } from "#platform/house/server-variables.ts";
import type { Values, Variables } from "#platform/environment/variables.ts";
import { house } from "./house.ts";

/** Variables of the server and of each room. The documentation's table is made from them. */
export const environmentVariables = { ...serverVariables, ...blobVariables, ...house.variables };

type Declared = typeof environmentVariables;

export type Environment = Omit<Values<Declared>, "SITE_ORIGIN"> & ServerEnvironment;

const all: Variables = environmentVariables;

const schemas = Object.fromEntries(Object.entries(all).map(([name, { schema }]) => [name, schema])) as {
  [Name in keyof Declared]: Declared[Name]["schema"];
};

const environmentSchema = z
  .object({
    ...schemas,
    /** From earlier releases. */
    CONSOLE_TOKEN: z
      .undefined(
        "is no longer used, so remove it: owners sign in to the console, and `npm start -- owner-link` prints a link",
      )
      .optional(),
  })
  .superRefine((env, context) => {
    const values: { [name: string]: unknown } = env;
    for (const [name, { needs = [] }] of Object.entries(all)) {
      const missing = values[name] === undefined ? [] : needs.filter((other) => values[other] === undefined);
      if (missing.length > 0)
        context.addIssue({ code: "custom", path: [name], message: `also needs ${missing.join(" and ")}` });
    }
  })
  .transform((env) => ({ ...env, SITE_ORIGIN: env.SITE_ORIGIN ?? defaultOrigin(env) }));

/** `0.0.0.0` and `::` listen everywhere but are not addresses that a reader can open. */
function defaultOrigin({
  HOST,
  PORT,
  TLS_CERT,
}: Pick<ServerEnvironment, "HOST" | "PORT" | "TLS_CERT">): string {
  const name = HOST === "0.0.0.0" || HOST === "::" ? "localhost" : nameOfHost(HOST);
  return new URL(`${TLS_CERT === undefined ? "http" : "https"}://${name}:${PORT}`).origin;
}

/**
 * @throws Error that names each wrong variable, what is wrong with its value and what to set.
 */
export function parseEnvironment(env: Record<string, string | undefined>): Environment {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = environmentSchema.safeParse(set);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new Error(
    `The environment is invalid: ${problems.join("; ")}. The documentation lists all variables: /docs/managed/overview/variables.`,
  );
}

/** Values that must never be written anywhere: keys and tokens, including those within an address. */
export function secretsOf(env: Environment): string[] {
  const values: { [name: string]: unknown } = env;
  return Object.entries(all).flatMap(([name, { secrets }]) =>
    secrets && values[name] !== undefined ? secrets(values[name] as never) : [],
  );
}
