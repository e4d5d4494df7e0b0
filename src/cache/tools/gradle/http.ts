/**
 * Gradle's HTTP build cache.
 *
 *   GET, PUT /cache/gradle/<key>
 *   GET, PUT /cache/gradle/cache/<key>     as at Gradle's own cache node: only the host of its address changes
 */
import type { Answer, HttpProtocol } from "../../http/call.ts";
import { sendEmpty } from "#platform/http/node/answer.ts";
import { receiveEntry } from "../../http/receive-entry.ts";
import { sendFound } from "../../http/send-entry.ts";

const TYPE = { "content-type": "application/vnd.gradle.build-cache-artifact.v2" };

const keyOf = (name: string) => `gradle/${name}`;

const get: Answer = (call, name = "") => sendFound(call, keyOf(name), () => TYPE);

const put: Answer = async (call, name = "") => {
  await receiveEntry(call, keyOf(name));
  sendEmpty(call, 200);
};

export const http: HttpProtocol = {
  routes: [
    {
      path: /^\/(?:cache\/)?([\w-]{1,128})$/,
      example: "/cache/5d2b0f1e7a6c48939be1d02f7c55a8e4",
      methods: { GET: get, PUT: put },
    },
  ],
};
