/** OpenID Connect: authorization code with PKCE, state and nonce. */
import * as oauth from "oauth4webapi";
import type { Accounts } from "../accounts.ts";
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

export function createOidcProvider(
  { origin, clock }: Pick<Accounts, "origin" | "clock">,
  options: OidcOptions,
): Provider {
  const issuer = new URL(options.issuer);
  const client: oauth.Client = { client_id: options.clientId };
  const redirectUri = `${origin}/auth/oidc/callback`;
  const http = {
    [oauth.customFetch]: createProviderFetch(options),
    [oauth.allowInsecureRequests]: LOOPBACK.test(issuer.hostname),
  };
  let found: { server: oauth.AuthorizationServer; at: number } | null = null;

  async function discover(): Promise<oauth.AuthorizationServer> {
    if (found && clock() - found.at < DISCOVERY_FRESH_MS) return found.server;
    const answer = await oauth.discoveryRequest(issuer, http);
    // Compared as it is written: a provider's own slash at the end counts.
    const server = await oauth.processDiscoveryResponse(issuer, answer);
    found = { server, at: clock() };
    return server;
  }

  async function begin({ state, nonce, verifier }: ProviderSecrets): Promise<URL> {
    const { authorization_endpoint: endpoint } = await discover();
    if (!endpoint) throw new ProviderError("provider-failed", "The provider has no authorization endpoint.");
    const url = new URL(endpoint);
    const parameters = {
      client_id: options.clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "openid email profile",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
      nonce,
    };
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
    return url;
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
    // The connection vouches for it already; this finds a provider that mixes up its keys.
    await oauth.validateApplicationLevelSignature(server, answer, http);
    const claims = oauth.getValidatedIdTokenClaims(grant);
    const subject = subjectFrom(claims?.sub);
    const told = claims?.["email"] === undefined ? await askUserInfo(server, grant, subject) : claims;
    const mail = textFrom(told?.["email"]);
    return {
      issuer: server.issuer,
      subject,
      name: textFrom(told?.["name"]) ?? textFrom(told?.["preferred_username"]) ?? mail ?? subject,
      mail,
      // Some providers write texts where the standard has yes and no.
      isMailVerified: told?.["email_verified"] === true || told?.["email_verified"] === "true",
    };
  }

  async function askUserInfo(
    server: oauth.AuthorizationServer,
    { access_token: token }: oauth.TokenEndpointResponse,
    subject: string,
  ): Promise<Record<string, unknown> | undefined> {
    if (!server.userinfo_endpoint) return undefined;
    const answer = await oauth.userInfoRequest(server, client, token, http);
    return oauth.processUserInfoResponse(server, client, subject, answer);
  }

  return {
    kind: "oidc",
    label: options.name,
    begin: (secrets) => trustProvider(() => begin(secrets)),
    finish: (callback, secrets) => trustProvider(() => finish(callback, secrets)),
  };
}

/** `client_secret_basic` is what every provider has unless it says otherwise. */
function authenticate(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
}
