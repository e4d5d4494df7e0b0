/**
 * sccache speaks WebDAV. Before it puts an object it asks whether the folder exists; if not, it creates all folders of the
 * path, one request each. So every folder exists.
 *
 *   GET, PUT /cache/sccache/c/d/9/cd9d…      with any prefix
 *   GET, PUT /cache/sccache/.sccache_check   whether it may read and write
 *   PROPFIND …/                              207
 *   MKCOL …/                                 405 for the first folder, 201 for others
 */
import { escapeXml } from "#platform/text/escape-xml.ts";
import { badRequest } from "../../http/failures.ts";
import type { Answer, CacheCall, HttpProtocol } from "../../http/call.ts";
import { sendEmpty, sendText } from "#platform/http/node/answer.ts";
import { readQuestion } from "../../http/read-body.ts";
import { receiveEntry } from "../../http/receive-entry.ts";
import { sendFound, sendMiss } from "../../http/send-entry.ts";
import { MAX_KEY_LENGTH } from "../../contract/limits.ts";

function keyOf(path: string): string {
  const key = `sccache/${path}`;
  if (key.length > MAX_KEY_LENGTH) throw badRequest(`a path can have at most ${MAX_KEY_LENGTH} characters`);
  return key;
}

const get: Answer = (call, path = "") => sendFound(call, keyOf(path));

const put: Answer = async (call, path = "") => {
  await receiveEntry(call, keyOf(path));
  sendEmpty(call, 201);
};

const findFolder: Answer = async (call) => {
  // The requested properties do not change the answer.
  await readQuestion(call);
  sendProperties(call, "<D:resourcetype><D:collection/></D:resourcetype>");
};

const findFile: Answer = async (call, path = "") => {
  await readQuestion(call);
  const key = keyOf(path);
  const size = (await call.cache.findMany(call.grant, [key])).get(key);
  if (size === undefined) return sendMiss(call);
  sendProperties(call, `<D:resourcetype/><D:getcontentlength>${size}</D:getcontentlength>`);
};

const makeFolder: Answer = async (call, path = "") => {
  await readQuestion(call);
  sendEmpty(call, path === "" ? 405 : 201);
};

/** Unused, but required. */
const LAST_MODIFIED = "Thu, 01 Jan 1970 00:00:00 GMT";

function sendProperties(call: CacheCall, properties: string): void {
  const address = escapeXml(encodeURI(`/cache/sccache${call.path}`));
  const text = `<?xml version="1.0" encoding="utf-8"?><D:multistatus xmlns:D="DAV:"><D:response><D:href>${address}</D:href><D:propstat><D:prop>${properties}<D:getlastmodified>${LAST_MODIFIED}</D:getlastmodified></D:prop><D:status>HTTP/1.1 200 OK</D:status></D:propstat></D:response></D:multistatus>`;
  sendText(call, text, { status: 207, type: "application/xml; charset=utf-8" });
}

const describe: Answer = (call) =>
  Promise.resolve(sendEmpty(call, 204, { dav: "1", allow: "GET, HEAD, PUT, PROPFIND, MKCOL, OPTIONS" }));

export const http: HttpProtocol = {
  routes: [
    {
      path: /^(?:\/(?:([^/].*)\/)?)?$/,
      example: "/c/d/9/",
      methods: { PROPFIND: findFolder, MKCOL: makeFolder, OPTIONS: describe },
    },
    {
      path: /^\/([^/](?:.*[^/])?)$/,
      example: "/c/d/9/cd9d9babeb19013689d5e4bee5385f34cc722a38bd992dc9c0d5c9fec547e9a5",
      methods: { GET: get, PUT: put, PROPFIND: findFile, MKCOL: makeFolder, OPTIONS: describe },
    },
  ],
};
