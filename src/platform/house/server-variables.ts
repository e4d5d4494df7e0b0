/** Variables of the server itself: where it listens, what it trusts, what it writes. */
import { z } from "zod";
import { ACCESS_LOG_MODES } from "../http/access-log.ts";
import { parseTrustedProxies } from "../http/addresses/trusted-proxies.ts";
import { LOG_LEVELS } from "../log/log.ts";
import { address, parsed, secret, type Values, type Variables, whole } from "../environment/variables.ts";

const port = "must be a whole number from 0 to 65535";

/** In the form used in a URL. */
export const nameOfHost = (host: string): string => (host.includes(":") ? `[${host}]` : host);

export const serverVariables = {
  PORT: {
    schema: z
      .string()
      .regex(/^\d{1,5}$/, port)
      .transform(Number)
      .refine((value) => value <= 65_535, port)
      .prefault("3000"),
    about: "The port to listen on.",
  },
  HOST: {
    schema: z
      .string()
      .refine((host) => URL.canParse(`http://${nameOfHost(host)}`) && !/[\s/?#@]/.test(host), {
        error: "must be a name or an address of this machine, such as localhost or 0.0.0.0, without a port",
      })
      .prefault("localhost"),
    about: "The address to listen on. `0.0.0.0` accepts connections from other machines.",
    example: "0.0.0.0",
  },
  SITE_ORIGIN: {
    schema: address
      .refine((value) => new URL(value).pathname === "/", "must have no path")
      .transform((value) => new URL(value).origin)
      .optional(),
    about: "The origin that readers and clients use when a proxy is in front of the server.",
    default: "http://localhost:3000",
    example: "https://millrace.example.com",
  },
  TLS_CERT: {
    schema: z.string().optional(),
    about:
      "Path of a certificate with its chain, as PEM. With it, the port speaks only TLS. The private key is in the same file, or in the file of `TLS_KEY`. Renewed files are read within a minute, without a restart.",
    example: "/etc/millrace/cert.pem",
  },
  TLS_KEY: {
    schema: z.string().optional(),
    needs: ["TLS_CERT"],
    about: "Path of the certificate's private key, as PEM, if it is not in the file of `TLS_CERT`.",
    example: "/etc/millrace/key.pem",
  },
  TRUSTED_PROXIES: {
    schema: parsed(
      parseTrustedProxies,
      (reason) => `must be addresses, networks, loopback or private, separated by commas: ${reason}`,
    ).prefault(""),
    about:
      "Your own proxies, whose `X-Forwarded-For` the server believes: addresses and networks, `loopback` or `private`, separated by commas. Without it, none.",
    example: "loopback,10.0.0.0/8",
  },
  RATE_LIMIT_FACTOR: {
    schema: z
      .string()
      .regex(/^\d{1,4}(?:\.\d{1,4})?$/, "must be a number such as 2 or 0.5; 0 removes the limits")
      .transform(Number)
      .prefault("1"),
    about: "Multiplies the request limits of each client and network. `0` removes the limits.",
    example: "2",
  },
  DATA_DIR: {
    schema: z.string().trim().min(1, "must be a folder").prefault(".data"),
    about: "The folder that the server writes to.",
  },
  LOG_LEVEL: {
    schema: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(", ")}`).prefault("info"),
    about: "The lowest level of the lines in the log. One of `debug`, `info`, `warn`, `error` and `silent`.",
    example: "warn",
  },
  ACCESS_LOG: {
    schema: z.enum(ACCESS_LOG_MODES, `must be one of ${ACCESS_LOG_MODES.join(", ")}`).prefault("private"),
    about:
      "One line for each response. `private` leaves out addresses and the pages that were read, `full` includes both, `off` writes no lines.",
    example: "full",
  },
  METRICS_TOKEN: {
    schema: secret.optional(),
    secrets: whole,
    about:
      "Opens `/metrics` to clients that send it as a bearer token. At least 16 characters. Without it, `/metrics` does not exist.",
  },
} satisfies Variables;

/** The server's own variables, which any room may use; `SITE_ORIGIN` has its default. */
export type ServerEnvironment = Omit<Values<typeof serverVariables>, "SITE_ORIGIN"> & { SITE_ORIGIN: string };
