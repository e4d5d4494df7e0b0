/**
 * 1. A page is answered while the community's chat has not answered: nobody waits for the number of those online.
 */
import { Hono } from "hono";
import { expect, it } from "vitest";
import { createApp } from "./server.ts";

it("(1) answers a page while the chat hangs", async () => {
  let asked = 0;
  const app = createApp({
    files: new Map([
      [
        "/",
        {
          type: "text/html; charset=utf-8",
          etag: '"1"',
          cacheControl: "public, no-cache",
          identity: Buffer.from("<p>Home</p>"),
        },
      ],
    ]),
    pathFor: (path) => path,
    searchApp: new Hono(),
    telemetry: { app: new Hono(), close: () => Promise.resolve() },
    render: () => Promise.resolve(new Response(null, { status: 404 })),
    close: () => Promise.resolve(),
    community: {
      refresh: () => {
        asked += 1;
        return new Promise(() => {});
      },
    },
  });
  const response = await app.request("http://localhost/");
  expect(await response.text()).toBe("<p>Home</p>");
  expect(asked).toBe(1);
});
