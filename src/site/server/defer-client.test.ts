/**
 * 1. Before the intent no script of the router runs and none is preloaded; the large chunk is named.
 * 2. The inert text has the data in its order and the module, whatever characters the data holds; the context is the
 *    boot script's, and a page with another one is refused.
 * 3. Other scripts stay as they are.
 */
import { expect, test } from "vitest";
import { routerContextScript } from "../boot/router-context.ts";
import { deferClient } from "./defer-client.ts";

const data = String.raw`streamController.enqueue("[\"$& $1 \u003c/script>\"]\n")`;
const html = [
  '<html><head><script>early()</script><link rel="modulepreload" href="/assets/entry.js"/>',
  '<link rel="modulepreload" href="/assets/vendor-1.js"/></head><body><p>text</p>',
  `<script>${routerContextScript}</script>`,
  '<script type="module" async="">import "/assets/manifest.js";\n  \n  import("/assets/entry.js");</script>',
  `<!--$--><script>window.__reactRouterContext.${data};</script>`,
  "<!--$--><script>window.__reactRouterContext.streamController.close();</script><!--/$--><!--/$--></body></html>",
].join("");
const deferred = deferClient(html);

test("1. nothing of the router runs or is preloaded", () => {
  expect(deferred).not.toContain("modulepreload");
  expect(deferred).not.toContain('type="module"');
  expect(deferred.match(/<script>[^<]/g)).toEqual(["<script>e"]);
  expect(deferred).toContain('data-preload="/assets/vendor-1.js"');
});

test("2. the inert text has everything, in order and unchanged", () => {
  const inert = /<script type="text\/x-client"[^>]*>([\s\S]*?)<\/script>/.exec(deferred)?.[1];
  expect(inert).toBe(
    [
      `window.__reactRouterContext.${data};`,
      "window.__reactRouterContext.streamController.close();",
      'import "/assets/manifest.js";',
      'import("/assets/entry.js");',
    ].join("\n"),
  );
});

test("3. other scripts stay", () => {
  expect(deferred).toContain("<script>early()</script>");
});

test("2. a page with another context is refused", () => {
  expect(() => deferClient(html.replace('"ssr":true', '"ssr":false'))).toThrow("router-context.ts");
});
