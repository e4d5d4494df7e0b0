/**
 * Each installed proxy of `deploy/proxies/`, with a certificate, in front of a server on one port:
 * 1. A page arrives over HTTP/1.1 and HTTP/2; the server learns the reader's address, scheme and host, and a reader
 *    cannot forge an address.
 * 2. A body is passed on as it arrives, and 16 MB are not too large.
 * 3. An answer is passed on as it arrives.
 * 4. A connection is upgraded to WebSocket.
 * 5. gRPC reaches the server over HTTP/2: messages in both directions alternately, trailers, trailers alone.
 * 6. In clear text the proxy sends readers to https.
 */
import { once } from "node:events";
import { connect as connectHttp2, type ClientHttp2Session } from "node:http2";
import { get as getPlain, type IncomingMessage } from "node:http";
import { request as requestTls, type RequestOptions } from "node:https";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type OnePortServer, startOnePortServer } from "./one-port-server.ts";
import { HOST, isInstalled, proxies, type RunningProxy, startProxy } from "./proxy-process.ts";

interface Echo {
  httpVersion: string;
  url: string;
  headers: { [name: string]: string };
}

for (const kind of proxies)
  describe.skipIf(!isInstalled(kind))(`${kind.name} (skipped where ${kind.program} is not installed)`, () => {
    let server: OnePortServer;
    let proxy: RunningProxy;
    let session: ClientHttp2Session;

    beforeAll(async () => {
      server = await startOnePortServer();
      proxy = await startProxy(kind, server.port);
      session = connectHttp2(`https://${HOST}`, {
        host: "127.0.0.1",
        port: proxy.port,
        servername: HOST,
        rejectUnauthorized: false,
      });
      await once(session, "connect");
    });
    afterAll(async () => {
      session?.destroy();
      server?.close();
      await proxy?.stop();
    });

    const ask = (options: RequestOptions) =>
      requestTls({
        host: "127.0.0.1",
        port: proxy.port,
        servername: HOST,
        rejectUnauthorized: false,
        agent: false,
        ...options,
        headers: { host: HOST, ...(options.headers as object) },
      });

    test("1. a page over HTTP/1.1 and HTTP/2", async () => {
      const made = { "x-forwarded-for": "203.0.113.9" };
      const first = ask({ path: "/echo?q=a%20b", headers: made }).end();
      const [answer] = (await once(first, "response")) as [IncomingMessage];
      const second = session.request({ ":path": "/echo?q=a%20b", ":authority": HOST, ...made }).end();
      for (const body of [await read(answer), await read(second)]) {
        const { url, headers } = JSON.parse(body) as Echo;
        expect(url).toBe("/echo?q=a%20b");
        expect(headers).toMatchObject({ "x-forwarded-proto": "https", "x-forwarded-host": HOST, host: HOST });
        // A server believes the part of the list that its own proxy has added.
        expect(headers["x-forwarded-for"]?.split(/, */).at(-1)).toBe("127.0.0.1");
      }
    });

    test("2. a body is passed on as it comes", async () => {
      const half = Buffer.alloc(8 * 1024 * 1024, "x");
      const upload = ask({ path: "/upload", method: "POST" });
      const response = once(upload, "response") as Promise<[IncomingMessage]>;
      upload.write(half);
      await server.received(half.length);
      upload.end(half);
      const [answer] = await response;
      expect(answer.statusCode).toBe(200);
      expect(Number(await read(answer))).toBe(2 * half.length);
    });

    test("3. an answer is passed on as it comes", async () => {
      const first = ask({ path: "/stream" }).end();
      const [answer] = (await once(first, "response")) as [IncomingMessage];
      const second = session.request({ ":path": "/stream", ":authority": HOST }).end();
      expect(String((await once(answer, "data"))[0])).toBe("first\n");
      expect(String((await once(second, "data"))[0])).toBe("first\n");
      server.goOn();
      expect(await Promise.all([read(answer), read(second)])).toEqual(["second\n", "second\n"]);
    });

    test("4. WebSocket", async () => {
      const headers = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
      const key = { "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==" };
      const asked = ask({ path: "/echo", headers: { ...headers, ...key } }).end();
      const [answer, socket] = (await once(asked, "upgrade")) as [IncomingMessage, Socket];
      expect(answer.statusCode).toBe(101);
      for (const word of ["one", "two"]) {
        socket.write(word);
        expect(String((await once(socket, "data"))[0])).toBe(word);
      }
      socket.destroy();
    });

    test("5. gRPC", async () => {
      const grpc = {
        ":method": "POST",
        ":authority": HOST,
        "content-type": "application/grpc+proto",
        te: "trailers",
      };
      const call = session.request({ ...grpc, ":path": "/millrace.v1.BuildService/Watch" });
      const trailers = once(call, "trailers");
      // Before it waits for an answer: nginx passes a call on with its first message.
      call.write("one");
      const [headers] = (await once(call, "response")) as [{ [name: string]: string }];
      const asked = JSON.parse(headers["x-asked"] ?? "{}") as { [name: string]: string };
      expect(asked).toMatchObject({ ":path": "/millrace.v1.BuildService/Watch", te: "trailers" });
      expect(asked["x-forwarded-for"]).toBe("127.0.0.1");
      expect(String((await once(call, "data"))[0])).toBe("one");
      call.write("two");
      expect(String((await once(call, "data"))[0])).toBe("two");
      call.end();
      call.resume();
      expect((await trailers)[0]).toMatchObject({ "grpc-status": "0" });

      const refused = session.request({ ...grpc, ":path": "/refuse" }).end();
      const later = new Promise((resolve) =>
        refused.once("trailers", resolve).once("close", () => resolve({})),
      );
      const [alone] = (await once(refused, "response")) as [object];
      refused.resume();
      expect({ ...alone, ...((await later) as object) }).toMatchObject({
        "grpc-status": "7",
        "grpc-message": "no",
      });
    });

    test("6. clear text", async () => {
      const asked = getPlain({
        host: "127.0.0.1",
        port: proxy.plainPort,
        path: "/docs",
        headers: { host: HOST },
      });
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      answer.resume();
      expect(answer.statusCode).toBeOneOf([301, 308]);
      expect(answer.headers.location).toMatch(new RegExp(`^https://${HOST}(:\\d+)?/docs$`));
    });
  });

async function read(stream: AsyncIterable<unknown>): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
