import {
  createToken,
  type Exchange,
  exchangeOidcToken,
  listExchanges,
  listTokens,
  restoreToken,
  revokeToken,
  type Token,
} from "#accounts/index.ts";
import { createKept, type Implementation, type PublicCall, type ServiceMethods } from "../calls/call.ts";
import type { TokenService } from "../gen/millrace/v1/token_service_pb.ts";
import { fromTimestamp, toItems, toTimestamp } from "./convert.ts";

/** Without the method that needs no token. */
export const tokenMethods: Omit<ServiceMethods<typeof TokenService>, "exchangeOidcToken"> = {
  create(call, { expiresAt, ...request }) {
    const input = { ...request, expiresAt: fromTimestamp(expiresAt) ?? null };
    return createKept(
      call,
      (caller) => createToken(call.accounts, caller, input),
      ({ token, secret }) => ({ token: toMessage(token), secret }),
    );
  },

  async list(call, request) {
    const page = await listTokens(call.accounts, call, request);
    return { tokens: toItems(page, toMessage), nextPageToken: page.nextPageToken };
  },

  async revoke(call, { tokenId }) {
    await revokeToken(call.accounts, call, { tokenId });
    return {};
  },

  async restore(call, { tokenId }) {
    return { token: toMessage(await restoreToken(call.accounts, call, { tokenId })) };
  },

  async listExchanges(call, request) {
    const page = await listExchanges(call.accounts, call, request);
    return { exchanges: toItems(page, toExchange), nextPageToken: page.nextPageToken };
  },
};

export const exchangeOidcTokenMethod: Implementation<
  (typeof TokenService)["method"]["exchangeOidcToken"],
  PublicCall
> = async ({ accounts, address }, { projectId, oidcToken }) => {
  const { secret, expiresAt } = await exchangeOidcToken(accounts, { projectId, oidcToken, address });
  return { secret, expiresAt: toTimestamp(expiresAt) };
};

const toMessage = ({
  projectId,
  owner,
  createdAt,
  lastUsedAt,
  lastUsedFrom,
  expiresAt,
  ...token
}: Token) => ({
  ...token,
  projectId: projectId ?? "",
  owner: owner ?? "",
  createdAt: toTimestamp(createdAt),
  lastUsedAt: toTimestamp(lastUsedAt),
  lastUsedFrom: lastUsedFrom ?? "",
  expiresAt: toTimestamp(expiresAt),
});

const toExchange = ({ time, claims, differences, tokenId, ...exchange }: Exchange) => ({
  ...exchange,
  time: toTimestamp(time),
  claims: { ...claims },
  differences: [...differences],
  tokenId: tokenId ?? "",
});
