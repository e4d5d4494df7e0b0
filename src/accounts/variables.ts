/** Variables of accounts: where records are stored, and how people and CI jobs sign in. */
import { z } from "zod";
import { UNIT_MS } from "#platform/environment/durations.ts";
import {
  duration,
  passwordsOf,
  type Values,
  type Variables,
  whole,
} from "#platform/environment/variables.ts";

const KEY_BYTES = 32;
const MIN_JOB_TOKEN_MS = UNIT_MS.m;
const MAX_JOB_TOKEN_MS = 7 * UNIT_MS.d;

/** The output of `openssl rand -base64 32`. */
const secretKey = z.string().transform((value, context) => {
  const key = parseSecretKey(value);
  if (key) return key;
  context.addIssue("must be 32 bytes as Base64 (openssl rand -base64 32 creates them)");
  return z.NEVER;
});

/** The key as an operator may have written it. */
const keyTexts = (key: Uint8Array) =>
  (["base64", "base64url"] as const).map((encoding) => Buffer.from(key).toString(encoding));

const ownerToken = z
  .string()
  .regex(
    /^mr_user_[0-9A-Za-z_-]{32,200}$/,
    'must be mr_user_ and at least 32 random letters and digits (echo "mr_user_$(openssl rand -hex 20)" creates one)',
  );

const databaseUrl = z.string().refine((value) => isAddress(value, ["postgres:", "postgresql:"]), {
  error: "must be the address of a PostgreSQL database, postgres://user:password@host/database",
});

const jobTokenLifetime = duration(
  MIN_JOB_TOKEN_MS,
  MAX_JOB_TOKEN_MS,
  "must be a time from 1m to 7d, such as 90m or 6h",
);

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
  MILLRACE_DATABASE_URL: {
    schema: databaseUrl.optional(),
    secrets: passwordsOf,
    about:
      "Where records are stored. Without it, a SQLite file in `DATA_DIR`. Several replicas share records in PostgreSQL.",
    example: "postgres://millrace@db.internal/millrace",
    part: "api",
  },
  /** Signs what people carry between two steps of a sign-in, and encrypts secrets of records. */
  MILLRACE_SECRET_KEY: {
    schema: secretKey.optional(),
    secrets: keyTexts,
    about:
      "The key that encrypts secrets in the records, 32 bytes as Base64, the same for all servers of these records. Without it, `secret.key` in `DATA_DIR`, which the first start creates.",
    part: "api",
  },
  MILLRACE_OWNER_TOKEN: {
    schema: ownerToken.optional(),
    secrets: whole,
    about:
      "The token of a first owner, for machines that set themselves up. `mr_user_` and at least 32 random letters and digits. A start with a different token, or with none, revokes the previous token for good.",
    example: "mr_user_…",
    part: "api",
  },
  /** In milliseconds. */
  MILLRACE_JOB_TOKEN_LIFETIME: {
    schema: jobTokenLifetime.prefault("6h"),
    about: "The maximum lifetime of a job token.",
    part: "api",
  },
  MILLRACE_OIDC_ISSUER: {
    schema: issuer.optional(),
    needs: ["MILLRACE_OIDC_CLIENT_ID", "MILLRACE_OIDC_CLIENT_SECRET"],
    about: "People can sign in with this OpenID Connect provider. `MILLRACE_OIDC_NAME` sets its name.",
    example: "https://login.acme.example",
    part: "api",
  },
  MILLRACE_OIDC_CLIENT_ID: {
    schema: z.string().max(500).optional(),
    needs: ["MILLRACE_OIDC_ISSUER", "MILLRACE_OIDC_CLIENT_SECRET"],
    about: "This server's client ID at the provider.",
    example: "millrace",
    part: "api",
  },
  MILLRACE_OIDC_CLIENT_SECRET: {
    schema: z.string().max(1000).optional(),
    secrets: whole,
    needs: ["MILLRACE_OIDC_ISSUER", "MILLRACE_OIDC_CLIENT_ID"],
    about: "The secret of that client.",
    part: "api",
  },
  MILLRACE_OIDC_NAME: {
    schema: z.string().max(40, "must have at most 40 characters").optional(),
    needs: ["MILLRACE_OIDC_ISSUER"],
    about: "The provider's name on the sign-in page. Without it, its host.",
    example: "Acme",
    part: "api",
  },
  MILLRACE_GITHUB_CLIENT_ID: {
    schema: z.string().max(500).optional(),
    needs: ["MILLRACE_GITHUB_CLIENT_SECRET"],
    about: "People can sign in with GitHub, through the OAuth app with this client ID.",
    part: "api",
  },
  MILLRACE_GITHUB_CLIENT_SECRET: {
    schema: z.string().max(1000).optional(),
    secrets: whole,
    needs: ["MILLRACE_GITHUB_CLIENT_ID"],
    about: "The secret of that client.",
    part: "api",
  },
  MILLRACE_SMTP_URL: {
    schema: smtpUrl.optional(),
    secrets: passwordsOf,
    needs: ["MILLRACE_MAIL_FROM"],
    about:
      "The mail server for sign-in links and invitations, with user and password. Without it, no mail is sent.",
    example: "smtps://millrace@mail.acme.example",
    part: "api",
  },
  MILLRACE_MAIL_FROM: {
    schema: mailFrom.optional(),
    needs: ["MILLRACE_SMTP_URL"],
    about: "The sender of these mails.",
    example: "Millrace <millrace@acme.example>",
    part: "api",
  },
  MILLRACE_OIDC_PRIVATE_ISSUERS: {
    schema: privateIssuers.prefault(""),
    about:
      "Hosts of CI providers that may have private addresses, separated by commas. All others must be public.",
    example: "gitlab.internal",
    part: "api",
  },
  MILLRACE_DOCS_NAMES: {
    schema: z.enum(["on", "off"], "must be on or off").prefault("on"),
    about:
      "Whether the documentation shows signed-in readers samples with their own organization and project. `on` or `off`.",
    part: "api",
  },
} satisfies Variables;

export type AccountEnvironment = Values<typeof accountVariables>;

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
