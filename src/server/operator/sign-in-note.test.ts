/**
 * A start's note about signing in:
 * 1. Nothing if people can sign in, or if the server listens only to its own machine.
 * 2. Otherwise the reason, each remedy with its variables, and the link for owners.
 */
import { expect, test } from "vitest";
import { parseEnvironment } from "../environment.ts";
import { describeSignIn } from "./sign-in-note.ts";

const say = (env: Record<string, string>) => describeSignIn(parseEnvironment(env));

const mail = { MILLRACE_SMTP_URL: "smtp://mail.acme.example", MILLRACE_MAIL_FROM: "m@acme.example" };
const github = { MILLRACE_GITHUB_CLIENT_ID: "a", MILLRACE_GITHUB_CLIENT_SECRET: "b" };

test.each<Record<string, string>>([
  {},
  { HOST: "127.0.0.1" },
  { HOST: "::1" },
  { HOST: "0.0.0.0", SITE_ORIGIN: "https://build.acme.example" },
  { HOST: "127.0.0.1", SITE_ORIGIN: "https://build.acme.example" },
  { HOST: "0.0.0.0", SITE_ORIGIN: "http://build.acme.example:3000", ...mail },
  { HOST: "0.0.0.0", SITE_ORIGIN: "http://build.acme.example:3000", ...github },
])("1. %o", (env) => expect(say(env)).toBeNull());

test.each<[string, Record<string, string>, RegExp]>([
  [
    "plain http",
    { HOST: "0.0.0.0", SITE_ORIGIN: "http://build.acme.example:3000" },
    /only on https and on localhost, and SITE_ORIGIN is http:\/\/build\.acme\.example:3000\./,
  ],
  [
    "plain http by HOST",
    { HOST: "10.0.0.5" },
    /only on https and on localhost, and SITE_ORIGIN is http:\/\/10\.0\.0\.5:3000\./,
  ],
  [
    "an origin that no one set",
    { HOST: "0.0.0.0" },
    /listens on 0\.0\.0\.0, but SITE_ORIGIN, .* is http:\/\/localhost:3000/,
  ],
  ["the same with mail, whose links lead there", { HOST: "::", ...mail }, /listens on ::, but SITE_ORIGIN/],
])("2. %s", (_name, env, reason) => {
  const said = say(env) ?? "";
  expect(said).toMatch(/^ {2}No one on another machine can sign in: /);
  expect(said).toMatch(reason);
  expect(said).toContain("TLS_CERT=<file with certificate and key> SITE_ORIGIN=https://");
  for (const way of ["TRUSTED_PROXIES=", "MILLRACE_SMTP_URL", "npm start -- owner-link"])
    expect(said).toContain(way);
});

test("2. an address with a certificate", () => {
  const said = say({ HOST: "0.0.0.0", TLS_CERT: "c.pem", SITE_ORIGIN: "https://10.0.0.5:3000" }) ?? "";
  expect(said).toMatch(/passkeys only for host names, and SITE_ORIGIN is https:\/\/10\.0\.0\.5:3000\./);
  expect(said).toContain("the certificate's name: SITE_ORIGIN=https://<name>:<port>");
});
