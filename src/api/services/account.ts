import { deletePasskey, endSignIn, listPasskeys, listSignIns, updateUser, whoAmI } from "#accounts/index.ts";
import type { ServiceMethods } from "../calls/call.ts";
import type { AccountService } from "../gen/millrace/v1/account_service_pb.ts";
import { toItems, toTimestamp } from "./convert.ts";

export const accountMethods: ServiceMethods<typeof AccountService> = {
  async whoAmI(call) {
    const { tokenId, userId, user, mail, role, organization, organizationId, projectId, expiresAt, ...rest } =
      whoAmI(call.accounts, call);
    return {
      ...rest,
      tokenId: tokenId ?? "",
      userId: userId ?? "",
      user: user ?? "",
      mail: mail ?? "",
      role: role ?? "",
      organization: organization ?? "",
      organizationId: organizationId ?? "",
      projectId: projectId ?? "",
      expiresAt: toTimestamp(expiresAt),
    };
  },

  async update(call, { name, mail }) {
    const user = await updateUser(call.accounts, call, { name, mail });
    return { user: { ...user, mail: user.mail ?? "", createdAt: toTimestamp(user.createdAt) } };
  },

  async listSignIns(call, request) {
    const page = await listSignIns(call.accounts, call, request);
    const signIns = toItems(page, ({ createdAt, lastUsedAt, expiresAt, ...signIn }) => ({
      ...signIn,
      createdAt: toTimestamp(createdAt),
      lastUsedAt: toTimestamp(lastUsedAt),
      expiresAt: toTimestamp(expiresAt),
    }));
    return { signIns, nextPageToken: page.nextPageToken };
  },

  async endSignIn(call, { signInId, all }) {
    await endSignIn(call.accounts, call, { signInId, all });
    return {};
  },

  async listPasskeys(call, request) {
    const page = await listPasskeys(call.accounts, call, request);
    const passkeys = toItems(page, ({ createdAt, lastUsedAt, ...passkey }) => ({
      ...passkey,
      createdAt: toTimestamp(createdAt),
      lastUsedAt: toTimestamp(lastUsedAt),
    }));
    return { passkeys, nextPageToken: page.nextPageToken };
  },

  async deletePasskey(call, { passkeyId }) {
    await deletePasskey(call.accounts, call, { passkeyId });
    return {};
  },
};
