/**
 * 1. Without variables the site is at http://localhost:3000.
 * 2. SITE_ORIGIN wins over PORT and HOST; a trailing slash is removed. With a certificate it is an https
 *    address.
 * 3. All wrong variables are named together, with the page that lists all of them, and no value that could be a secret is printed.
 * 4. Values that would be misread are refused: a port that is not a plain number, a host with a port,
 *    credentials in an address, a DSN without key or project, a proxy given by its name.
 * 5. By default no proxy is trusted and clients' requests are limited.
 * 6. Secret values are known, to be kept out of the log.
 * 7. The same for accounts: also passwords within addresses.
 * 8. Variables that have no effect without each other are refused alone.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./pages/build-folders.ts";
import { parseEnvironment, secretsOf } from "./environment.ts";

test("1. the default is http://localhost:3000", () => {
  expect(parseEnvironment({})).toMatchObject({
    PORT: 3000,
    HOST: "localhost",
    SITE_ORIGIN: "http://localhost:3000",
  });
});

test.each([
  [{ PORT: "8080" }, "http://localhost:8080"],
  [{ PORT: "80" }, "http://localhost"],
  [{ HOST: "0.0.0.0" }, "http://localhost:3000"],
  [{ HOST: "::1" }, "http://[::1]:3000"],
  [{ PORT: "8080", SITE_ORIGIN: "https://docs.example.com/" }, "https://docs.example.com"],
  [{ PORT: "", SITE_ORIGIN: "" }, "http://localhost:3000"],
  [{ TLS_CERT: "cert.pem", TLS_KEY: "key.pem" }, "https://localhost:3000"],
  [{ TLS_CERT: "both.pem" }, "https://localhost:3000"],
  [{ TLS_CERT: "cert.pem", TLS_KEY: "key.pem", PORT: "443", HOST: "::" }, "https://localhost"],
  [{ TLS_CERT: "cert.pem", TLS_KEY: "key.pem", SITE_ORIGIN: "http://a.example" }, "http://a.example"],
  [{ TLS_CERT: "", TLS_KEY: "" }, "http://localhost:3000"],
])("2. %o gives the origin %s", (env, origin) => {
  expect(parseEnvironment(env).SITE_ORIGIN).toBe(origin);
});

test("3. the page of all variables", () => {
  const message = catchMessage(() => parseEnvironment({ PORT: "x" }));
  const [, path = ""] = /lists all variables: (\/docs\/[\w/-]+)\.$/.exec(message) ?? [];
  expect(readFileSync(join(root, "content", `${path}.mdx`), "utf8")).toContain(
    '<EnvTable usedBy="server" />',
  );
});

function catchMessage(run: () => void): string {
  try {
    run();
    return "";
  } catch (error) {
    return String(error);
  }
}

test("3. every wrong variable is named", () => {
  const parse = () =>
    parseEnvironment({ PORT: "99999", SITE_ORIGIN: "docs.example.com", SEARCH_ADMIN_KEY: "short" });
  expect(parse).toThrow(/PORT: .*SITE_ORIGIN: .*SEARCH_ADMIN_KEY: /);
  expect(() => parseEnvironment({ SITE_ORIGIN: "https://example.com/docs" })).toThrow("must have no path");
});

test.each([
  ["PORT", " "],
  ["PORT", "0x10"],
  ["PORT", "1e3"],
  ["PORT", "-1"],
  ["PORT", "65536"],
  ["HOST", " "],
  ["HOST", "http://localhost"],
  ["HOST", "localhost:3000"],
  ["SITE_ORIGIN", "docs.example.com"],
  ["SITE_ORIGIN", "https://example.com/?a=1"],
  ["SITE_ORIGIN", "https://me:s3cret@example.com"],
  ["MEILISEARCH_URL", "localhost:7700"],
  ["MEILISEARCH_URL", "http://me:s3cret@localhost:7700"],
  ["SENTRY_DSN", "https://sentry.example.com/5"],
  ["SENTRY_DSN", "https://s3cret@sentry.example.com"],
  ["DATA_DIR", " "],
  ["TRUSTED_PROXIES", "nginx"],
  ["TRUSTED_PROXIES", "10.0.0.0/33"],
  ["RATE_LIMIT_FACTOR", "-1"],
  ["RATE_LIMIT_FACTOR", "1e9"],
  ["RATE_LIMIT_FACTOR", "many"],
  ["MILLRACE_DATABASE_URL", "mysql://me:s3cret@db/millrace"],
  ["MILLRACE_DATABASE_URL", "s3cret"],
  ["MILLRACE_DATABASE_URL", "postgres:///millrace"],
  ["MILLRACE_SECRET_KEY", "s3cret"],
  ["MILLRACE_SECRET_KEY", `${"A".repeat(43)}==`],
  ["MILLRACE_OWNER_TOKEN", "mr_user_s3cret"],
  ["MILLRACE_OWNER_TOKEN", `mr_org_${"A".repeat(40)}`],
  ["MILLRACE_JOB_TOKEN_LIFETIME", "6"],
  ["MILLRACE_JOB_TOKEN_LIFETIME", "30s"],
  ["MILLRACE_JOB_TOKEN_LIFETIME", "8d"],
  ["MILLRACE_BLOB_URL", "https://acme.s3.amazonaws.com"],
  ["MILLRACE_CACHE_QUOTA", "50"],
  ["MILLRACE_CACHE_QUOTA", "9MB"],
  ["MILLRACE_IMAGE_QUOTA", "much"],
  ["MILLRACE_IMAGE_RETENTION", "30"],
  ["MILLRACE_MIRROR_HOSTS", "https://docker.io"],
  ["MILLRACE_MIRROR_QUOTA", "9MB"],
  ["MILLRACE_BLOB_REDIRECT", "yes"],
  ["MILLRACE_CACHE_RETENTION", "59m"],
  ["MILLRACE_CACHE_RETENTION", "2w"],
  ["MILLRACE_OIDC_ISSUER", "http://idp.example.com"],
  ["MILLRACE_OIDC_ISSUER", "https://me:s3cret@idp.example.com"],
  ["MILLRACE_SMTP_URL", "https://s3cret@mail.example.com"],
  ["MILLRACE_MAIL_FROM", "millrace@acme.example\r\nBcc: all@acme.example"],
  ["MILLRACE_MAIL_FROM", "Millrace"],
  ["MILLRACE_OIDC_PRIVATE_ISSUERS", "https://gitlab.internal"],
  ["MILLRACE_OIDC_PRIVATE_ISSUERS", "*.internal"],
  ["METRICS_TOKEN", "s3cret"],
  ["LOG_LEVEL", "loud"],
  ["ACCESS_LOG", "everything"],
])("4. %s=%j is refused", (name, value) => {
  const parse = () => parseEnvironment({ [name]: value });
  expect(parse).toThrow(new RegExp(`^The environment is invalid: ${name}: must (be|have) `));
  expect(parse).not.toThrow("s3cret");
});

test("4. a key without its certificate is refused", () => {
  expect(() => parseEnvironment({ TLS_KEY: "key.pem" })).toThrow("TLS_KEY: also needs TLS_CERT");
});

test("4. a DSN of a Sentry below a path is taken", () => {
  const SENTRY_DSN = "https://key@example.com/errors/5";
  expect(parseEnvironment({ SENTRY_DSN }).SENTRY_DSN).toBe(SENTRY_DSN);
});

test("5. proxies and limits", () => {
  expect(parseEnvironment({})).toMatchObject({ TRUSTED_PROXIES: [], RATE_LIMIT_FACTOR: 1 });
  expect(parseEnvironment({ TRUSTED_PROXIES: "::1, 10.0.0.0/8", RATE_LIMIT_FACTOR: "0" })).toMatchObject({
    TRUSTED_PROXIES: ["::1", "10.0.0.0/8"],
    RATE_LIMIT_FACTOR: 0,
  });
});

test("6. what the operator sees", () => {
  expect(parseEnvironment({})).toMatchObject({ LOG_LEVEL: "info", ACCESS_LOG: "private" });
  expect(parseEnvironment({}).METRICS_TOKEN).toBeUndefined();
  const env = parseEnvironment({
    LOG_LEVEL: "warn",
    ACCESS_LOG: "off",
    METRICS_TOKEN: "the token of metrics",
    SEARCH_ADMIN_KEY: "the key of the search",
    MEILISEARCH_KEY: "short",
    SENTRY_DSN: "https://dsn-key@example.com/5",
  });
  expect(env).toMatchObject({ LOG_LEVEL: "warn", ACCESS_LOG: "off" });
  const secrets = ["the key of the search", "short", "the token of metrics", "dsn-key"];
  expect(secretsOf(env).sort()).toEqual(secrets.sort());
});

test("7. accounts", () => {
  expect(parseEnvironment({})).toMatchObject({
    MILLRACE_JOB_TOKEN_LIFETIME: 6 * 3_600_000,
    MILLRACE_CACHE_QUOTA: 50_000_000_000,
    MILLRACE_CACHE_RETENTION: 14 * 86_400_000,
    MILLRACE_IMAGE_QUOTA: 500_000_000_000,
    MILLRACE_IMAGE_RETENTION: 7 * 86_400_000,
    MILLRACE_MIRROR_QUOTA: 100_000_000_000,
    MILLRACE_OIDC_PRIVATE_ISSUERS: [],
  });
  const key = Buffer.alloc(32, 251);
  const env = parseEnvironment({
    MILLRACE_DATABASE_URL: "postgres://me:s%23cret@db.internal:5433/millrace",
    MILLRACE_SECRET_KEY: key.toString("base64"),
    MILLRACE_OWNER_TOKEN: `mr_user_${"A".repeat(40)}`,
    MILLRACE_JOB_TOKEN_LIFETIME: "90m",
    MILLRACE_CACHE_QUOTA: "1.5TiB",
    MILLRACE_CACHE_RETENTION: "36h",
    MILLRACE_OIDC_ISSUER: "https://idp.acme.example",
    MILLRACE_OIDC_CLIENT_ID: "millrace",
    MILLRACE_OIDC_CLIENT_SECRET: "the secret of the client",
    MILLRACE_SMTP_URL: "smtps://me:smtp-pass@mail.acme.example",
    MILLRACE_MAIL_FROM: "Millrace <millrace@acme.example>",
    MILLRACE_OIDC_PRIVATE_ISSUERS: "GitLab.internal, idp.internal:8443",
  });
  expect(env).toMatchObject({
    MILLRACE_SECRET_KEY: key,
    MILLRACE_JOB_TOKEN_LIFETIME: 90 * 60_000,
    MILLRACE_CACHE_QUOTA: 1.5 * 1024 ** 4,
    MILLRACE_CACHE_RETENTION: 36 * 3_600_000,
    MILLRACE_OIDC_PRIVATE_ISSUERS: ["gitlab.internal", "idp.internal:8443"],
  });
  const secrets = [
    "s%23cret",
    "s#cret",
    "smtp-pass",
    "the secret of the client",
    `mr_user_${"A".repeat(40)}`,
    key.toString("base64"),
    key.toString("base64url"),
  ];
  expect([...new Set(secretsOf(env))].sort()).toEqual(secrets.sort());
});

test("3. a variable of former releases is refused with what to do instead", () => {
  const parse = () => parseEnvironment({ CONSOLE_TOKEN: "s3cret-s3cret-s3cret" });
  expect(parse).toThrow(/CONSOLE_TOKEN: is no longer used, so remove it: owners sign in.*owner-link/);
  expect(parse).not.toThrow("s3cret");
  expect(parseEnvironment({ CONSOLE_TOKEN: "" })).not.toHaveProperty("CONSOLE_TOKEN");
});

test.each([
  ["MILLRACE_OIDC_ISSUER", "https://idp.acme.example"],
  ["MILLRACE_GITHUB_CLIENT_SECRET", "x"],
  ["MILLRACE_SMTP_URL", "smtp://mail.acme.example"],
  ["MILLRACE_OIDC_NAME", "Acme"],
])("8. %s alone is refused", (name, value) => {
  expect(() => parseEnvironment({ [name]: value })).toThrow(
    new RegExp(`^The environment is invalid: ${name}: also needs MILLRACE_`),
  );
});
