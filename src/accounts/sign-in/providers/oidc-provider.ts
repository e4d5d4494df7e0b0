/** OpenID Connect: authorization code with PKCE, state and nonce. */
import * as oauth from "oauth4webapi";
import type { Accounts } from "../../contract/accounts.ts";
import {
  createProviderFetch,
  type Person,
  type Provider,
  ProviderError,
  type ProviderFetchOptions,
  type ProviderSecrets,
  subjectFrom,
  textFrom,
  trustProvider,
  withParameters,
} from "./provider.ts";

export interface OidcOptions extends ProviderFetchOptions {
  /** `https://accounts.google.com`. Without TLS only on this machine itself. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** `Google`; for the button. */
  name: string;
}

const DISCOVERY_FRESH_MS = 10 * 60_000;
const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

interface Http {
  [oauth.customFetch]: ReturnType<typeof createProviderFetch>;
  [oauth.allowInsecureRequests]: boolean;
}

export function createOidcProvider(
  { origin, clock }: Pick<Accounts, "origin" | "clock">,
  options: OidcOptions,
): Provider {
  const issuer = new URL(options.issuer);
  const client: oauth.Client = { client_id: options.clientId };
  const redirectUri = `${origin}/auth/oidc/callback`;
  const http: Http = {
    [oauth.customFetch]: createProviderFetch(options),
    [oauth.allowInsecureRequests]: LOOPBACK.test(issuer.hostname),
  };
  const discover = createDiscovery(issuer, http, clock);

  async function begin({ state, nonce, verifier }: ProviderSecrets): Promise<URL> {
    const { authorization_endpoint: endpoint } = await discover();
    if (!endpoint) throw new ProviderError("provider-failed", "The provider has no authorization endpoint.");
    return withParameters(endpoint, {
      client_id: options.clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid email profile",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    });
  }

  async function finish(callback: URL, { state, nonce, verifier }: ProviderSecrets): Promise<Person> {
    const server = await discover();
    const parameters = oauth.validateAuthResponse(server, client, callback, state);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticate(server, options.clientSecret),
      parameters,
      redirectUri,
      verifier,
      http,
    );
    const grant = await oauth.processAuthorizationCodeResponse(server, client, answer, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    // The connection already vouches for the token; this finds a provider that mixes up its keys.
    await oauth.validateApplicationLevelSignature(server, answer, http);
    const claims = oauth.getValidatedIdTokenClaims(grant);
    const subject = subjectFrom(claims?.sub);
    if (claims?.["email"] !== undefined || !server.userinfo_endpoint)
      return toPerson(server, subject, claims);
    const info = await oauth.userInfoRequest(server, client, grant.access_token, http);
    return toPerson(server, subject, await oauth.processUserInfoResponse(server, client, subject, info));
  }

  return {
    kind: "oidc",
    label: options.name,
    begin: (secrets) => trustProvider(() => begin(secrets)),
    finish: (callback, secrets) => trustProvider(() => finish(callback, secrets)),
  };
}

/** Every provider has `client_secret_basic` unless it says otherwise. */
function authenticate(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
}

function toPerson(
  { issuer }: oauth.AuthorizationServer,
  subject: string,
  told: Readonly<Record<string, unknown>> | undefined,
): Person {
  const mail = textFrom(told?.["email"]);
  return {
    issuer,
    subject,
    name: textFrom(told?.["name"]) ?? textFrom(told?.["preferred_username"]) ?? mail ?? subject,
    mail,
    // Some providers send texts where the standard has booleans.
    isMailVerified: told?.["email_verified"] === true || told?.["email_verified"] === "true",
  };
}

/** The provider's metadata, fetched again every ten minutes. */
function createDiscovery(issuer: URL, http: Http, clock: () => number) {
  let found: { server: oauth.AuthorizationServer; at: number } | null = null;
  return async (): Promise<oauth.AuthorizationServer> => {
    if (found && Math.abs(clock() - found.at) < DISCOVERY_FRESH_MS) return found.server;
    const answer = await oauth.discoveryRequest(issuer, http);
    const server = await oauth.processDiscoveryResponse(issuer, answer);
    found = { server, at: clock() };
    return server;
  };
}
