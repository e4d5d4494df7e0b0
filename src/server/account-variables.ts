/** Variables of accounts: where records are kept, and how people and CI jobs come in. */
import { z } from "zod";
import { parseDuration, UNIT_MS } from "./durations.ts";

const KEY_BYTES = 32;
const MIN_JOB_TOKEN_MS = UNIT_MS.m;
const MAX_JOB_TOKEN_MS = 7 * UNIT_MS.d;

/** Of `openssl rand -base64 32`. */
const secretKey = z.string().transform((value, context) => {
  const key = parseSecretKey(value);
  if (key) return key;
  context.addIssue("must be 32 bytes as Base64 (openssl rand -base64 32 creates them)");
  return z.NEVER;
});

const ownerToken = z
  .string()
  .regex(
    /^mr_user_[0-9A-Za-z_-]{32,200}$/,
    'must be mr_user_ and at least 32 random letters and digits (echo "mr_user_$(openssl rand -hex 20)" creates one)',
  );

/** The password may be part of it: it is never printed. */
const databaseUrl = z.string().refine((value) => isAddress(value, ["postgres:", "postgresql:"]), {
  error: "must be the address of a PostgreSQL database, postgres://user:password@host/database",
});

const jobTokenLifetime = z
  .string()
  .transform((value) => parseDuration(value) ?? Number.NaN)
  .refine((ms) => ms >= MIN_JOB_TOKEN_MS && ms <= MAX_JOB_TOKEN_MS, {
    error: "must be a time from 1m to 7d, such as 90m or 6h",
  });

const issuer = z
  .url({ protocol: /^https?$/, error: "must be an address that starts with https://", abort: true })
  .refine((value) => isSecure(new URL(value)) && !/[?#]/.test(value) && new URL(value).username === "", {
    error: "must be an address that starts with https://, without a user name, ? or #",
  });

const smtpUrl = z.string().refine((value) => isAddress(value, ["smtp:", "smtps:"]), {
  error: "must be the address of a mail server, smtp://user:password@host:587 or smtps://user:password@host",
});

const MAIL = /^[^\s@<>",;]+@[^\s@<>",;]+$/;
/** The name before the address, if there is one, and the address. */
const NAMED_MAIL = /^([^<>",;\r\n]*)<([^<>]*)>$/;

function isMailSender(value: string): boolean {
  const [, name, address] = NAMED_MAIL.exec(value) ?? [];
  return address === undefined ? MAIL.test(value) : (name?.trim() ?? "") !== "" && MAIL.test(address);
}

const mailFrom = z.string().max(200).refine(isMailSender, {
  error: "must be a mail address, millrace@acme.example or Millrace <millrace@acme.example>",
});

/** Host names with commas between them, and a port where it is not the usual one. */
const privateIssuers = z
  .string()
  .transform((value) =>
    value
      .split(",")
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ""),
  )
  .refine((hosts) => hosts.length <= 100 && hosts.every(isHost), {
    error: "must be host names separated by commas, such as gitlab.internal, idp.internal:8443",
  });

export const accountVariables = {
  /** Where records are kept. Without it: `millrace.db` in `DATA_DIR`. */
  MILLRACE_DATABASE_URL: databaseUrl.optional(),
  /** Signs what people carry between two steps of a sign-in. Without it: `secret.key` in `DATA_DIR`. */
  MILLRACE_SECRET_KEY: secretKey.optional(),
  /** The token of a first owner, for machines that set themselves up. */
  MILLRACE_OWNER_TOKEN: ownerToken.optional(),
  /** Milliseconds that a job's token lives at most. */
  MILLRACE_JOB_TOKEN_LIFETIME: jobTokenLifetime.default(6 * UNIT_MS.h),
  /** People may sign in with this OpenID Connect provider; `_NAME` is what the button says. */
  MILLRACE_OIDC_ISSUER: issuer.optional(),
  MILLRACE_OIDC_CLIENT_ID: z.string().max(500).optional(),
  MILLRACE_OIDC_CLIENT_SECRET: z.string().max(1000).optional(),
  MILLRACE_OIDC_NAME: z.string().max(40, "must have at most 40 characters").optional(),
  MILLRACE_GITHUB_CLIENT_ID: z.string().max(500).optional(),
  MILLRACE_GITHUB_CLIENT_SECRET: z.string().max(1000).optional(),
  /** People may sign in with a link by mail. */
  MILLRACE_SMTP_URL: smtpUrl.optional(),
  MILLRACE_MAIL_FROM: mailFrom.optional(),
  /** Issuers of CI jobs' tokens that may be reached at private addresses. */
  MILLRACE_OIDC_PRIVATE_ISSUERS: privateIssuers.default([]),
};

type Set = { [Name in keyof typeof accountVariables]?: unknown };

/** Variables that mean nothing without each other. @returns path and message of the first problem, or null */
export function findIncomplete(env: Set): { path: string; message: string } | null {
  for (const group of [
    ["MILLRACE_OIDC_ISSUER", "MILLRACE_OIDC_CLIENT_ID", "MILLRACE_OIDC_CLIENT_SECRET"],
    ["MILLRACE_GITHUB_CLIENT_ID", "MILLRACE_GITHUB_CLIENT_SECRET"],
    ["MILLRACE_SMTP_URL", "MILLRACE_MAIL_FROM"],
  ] as const) {
    const set = group.find((name) => env[name] !== undefined);
    const missing = group.filter((name) => env[name] === undefined);
    if (set && missing.length > 0) return { path: set, message: `also needs ${missing.join(" and ")}` };
  }
  if (env.MILLRACE_OIDC_NAME !== undefined && env.MILLRACE_OIDC_ISSUER === undefined)
    return { path: "MILLRACE_OIDC_NAME", message: "also needs MILLRACE_OIDC_ISSUER" };
  return null;
}

/** Passwords within an address, as written and as meant. */
export function passwordsOf(address: string | undefined): string[] {
  if (address === undefined) return [];
  const { password, searchParams } = new URL(address);
  return [password, decode(password), searchParams.get("password") ?? ""].filter((value) => value !== "");
}

/** @returns undefined when it is not 32 bytes */
export function parseSecretKey(text: string): Uint8Array | undefined {
  const plain = text.trim().replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]{43}=?$/.test(plain)) return undefined;
  const key = Buffer.from(plain, "base64");
  return key.length === KEY_BYTES ? key : undefined;
}

function isAddress(value: string, protocols: readonly string[]): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, searchParams } = new URL(value);
  // A socket of this machine is `postgres:///name?host=/run/postgresql`.
  return protocols.includes(protocol) && (hostname !== "" || searchParams.has("host"));
}

/** In clear text only on this machine, for tests and trials. */
function isSecure({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

function isHost(host: string): boolean {
  if (/[\s/?#@*]/.test(host) || !URL.canParse(`https://${host}`)) return false;
  return new URL(`https://${host}`).hostname !== "";
}

/** A password with a plain % is meant as it is written. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
