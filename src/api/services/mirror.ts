import { Code, ConnectError } from "@connectrpc/connect";
import type { MirrorCredentials, Mirrors } from "#registry/index.ts";
import type { Call, ServiceMethods } from "../calls/call.ts";
import type { MirrorService } from "../gen/millrace/v1/mirror_service_pb.ts";
import { toTimestamp } from "./convert.ts";

export const mirrorMethods: ServiceMethods<typeof MirrorService> = {
  async list(call) {
    const credentials = await requireMirrors(call).list(call);
    return { credentials: credentials.map(toCredentials) };
  },

  async set(call, { host, username, password }) {
    const credentials = await requireMirrors(call).set(call, { host, username, password });
    return { credentials: toCredentials(credentials) };
  },

  async delete(call, { host }) {
    await requireMirrors(call).delete(call, host);
    return {};
  },
};

function requireMirrors({ mirrors }: Call): Mirrors {
  if (mirrors) return mirrors;
  throw new ConnectError("This server does not pull images from other registries.", Code.Unimplemented);
}

const toCredentials = ({ host, username, setBy, setAt }: MirrorCredentials) => ({
  host,
  username,
  setBy,
  setAt: toTimestamp(setAt),
});
