/**
 * The files of Maven's Build Cache Extension.
 *
 *   GET, PUT /cache/maven/v1.1/<group>/<artifact>/<checksum>/<file>
 *
 * Each build also puts `<uuid>/build-cache-report.xml`, which no client reads: it is removed when it is the least recently
 * used.
 */
import { badRequest } from "../../http/failures.ts";
import type { Answer, HttpProtocol } from "../../http/call.ts";
import { sendEmpty } from "#platform/http/node/answer.ts";
import { receiveEntry } from "../../http/receive-entry.ts";
import { sendFound } from "../../http/send-entry.ts";
import { MAX_KEY_LENGTH } from "../../contract/limits.ts";

function keyOf(path: string): string {
  const key = `maven${path}`;
  if (key.length > MAX_KEY_LENGTH) throw badRequest(`a path can have at most ${MAX_KEY_LENGTH} characters`);
  return key;
}

const get: Answer = (call, path = "") => sendFound(call, keyOf(path));

const put: Answer = async (call, path = "") => {
  await receiveEntry(call, keyOf(path));
  sendEmpty(call, 201);
};

export const http: HttpProtocol = {
  routes: [
    {
      path: /^(\/v\d{1,3}(?:\.\d{1,3}){0,2}(?:\/[^/]{1,200}){1,8})$/,
      example: "/v1.1/com.acme/basket/53fe44244d9401b2/buildinfo.xml",
      methods: { GET: get, PUT: put },
    },
  ],
};
