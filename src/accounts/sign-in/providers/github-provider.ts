/** GitHub: OAuth 2.0 with PKCE, then its API identifies the person. It has no OpenID Connect for people. */
import * as oauth from "oauth4webapi";
import * as z from "zod";
import type { Accounts } from "../../contract/accounts.ts";
import {
  createProviderFetch,
  type Person,
  type Provider,
  ProviderError,
  type ProviderFetchOptions,
  type ProviderSecrets,
  trustProvider,
  withParameters,
} from "./provider.ts";

export interface GithubOptions extends ProviderFetchOptions {
  clientId: string;
  clientSecret: string;
  /** For tests. Default `https://github.com` and `https://api.github.com`. */
  addresses?: { web: string; api: string };
}

/** The issuer in the records, whatever its addresses are. */
export const GITHUB_ISSUER = "https://github.com";
const ADDRESSES = { web: GITHUB_ISSUER, api: "https://api.github.com" };
const MAX_TEXT = 1000;

const userSchema = z.object({
  id: z.int().positive(),
  login: z.string().max(MAX_TEXT),
  name: z.string().max(MAX_TEXT).nullish(),
});
const mailsSchema = z.array(
  z.object({ email: z.string().max(MAX_TEXT), primary: z.boolean(), verified: z.boolean() }),
);

export function createGithubProvider({ origin }: Pick<Accounts, "origin">, options: GithubOptions): Provider {
  const { clientId, clientSecret, addresses = ADDRESSES } = options;
  const server: oauth.AuthorizationServer = {
    issuer: `${addresses.web}/login/oauth`,
    authorization_endpoint: `${addresses.web}/login/oauth/authorize`,
    token_endpoint: `${addresses.web}/login/oauth/access_token`,
  };
  const client: oauth.Client = { client_id: clientId };
  const redirectUri = `${origin}/auth/github/callback`;
  const http = {
    [oauth.customFetch]: createProviderFetch(options),
    [oauth.allowInsecureRequests]: addresses !== ADDRESSES,
  };

  const ask = (address: string, token: string) => askApi(http[oauth.customFetch], address, token);

  async function begin({ state, verifier }: ProviderSecrets): Promise<URL> {
    return withParameters(`${addresses.web}/login/oauth/authorize`, {
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: "read:user user:email",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      state,
    });
  }

  async function finish(callback: URL, { state, verifier }: ProviderSecrets): Promise<Person> {
    const parameters = oauth.validateAuthResponse(server, client, callback, state);
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.ClientSecretPost(clientSecret),
      parameters,
      redirectUri,
      verifier,
      http,
    );
    const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, client, answer);
    const user = userSchema.parse(await ask(`${addresses.api}/user`, token));
    const mails = mailsSchema.parse(await ask(`${addresses.api}/user/emails`, token));
    const mail = mails.find(({ primary }) => primary) ?? mails[0];
    return {
      issuer: GITHUB_ISSUER,
      subject: String(user.id),
      name: user.name || user.login,
      mail: mail?.email ?? null,
      isMailVerified: mail?.verified ?? false,
    };
  }

  return {
    kind: "github",
    label: "GitHub",
    begin: (secrets) => trustProvider(() => begin(secrets)),
    finish: (callback, secrets) => trustProvider(() => finish(callback, secrets)),
  };
}

async function askApi(
  providerFetch: ReturnType<typeof createProviderFetch>,
  address: string,
  token: string,
): Promise<unknown> {
  const accept = "application/vnd.github+json";
  const headers = { authorization: `Bearer ${token}`, accept, "user-agent": "millrace" };
  const answer = await providerFetch(address, { headers });
  if (answer.ok) return answer.json();
  throw new ProviderError("provider-failed", `${address} responded with status ${answer.status}.`);
}
