/**
 * 1. The text is one line of addresses from the build's manifest, then the router's data, which parses
 *    unchanged.
 * 2. Whatever the data contains, the text cannot close its element or open another element.
 * 3. The router's stream is used up: nothing is left that React Router would write as a script.
 * 4. A router with another context, or a route with more than one module, is refused.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { ROUTER_CONTEXT } from "../boot/router-context.ts";
import { clientText } from "./client-text.ts";

function rendered(data: string, route: object = {}) {
  return {
    manifest: {
      url: "/assets/manifest-1.js",
      version: "1",
      entry: { module: "/assets/entry.client-1.js", imports: ["/assets/docs-1.js", "/assets/vendor-1.js"] },
      routes: {
        root: { id: "root", module: "/assets/root-1.js", ...route },
        unused: { id: "unused", module: "/x.js" },
      },
    },
    staticHandlerContext: { matches: [{ route: { id: "root" } }] },
    serverHandoffString: JSON.stringify(ROUTER_CONTEXT),
    serverHandoffStream: new Response(data).body,
  } as unknown as Parameters<typeof clientText>[0];
}

test("1, 2. the text", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string(), fc.constantFrom("</script>", "<!--", "$&", "\n", "\u2028"))),
      async (texts) => {
        const data = `${JSON.stringify(texts)}\n`;
        const { text, preload } = await clientText(rendered(data));
        const [files = "", ...rest] = text.split("\n");
        expect(JSON.parse(files)).toEqual({
          manifest: "/assets/manifest-1.js",
          entry: "/assets/entry.client-1.js",
          routes: { root: "/assets/root-1.js" },
        });
        expect(JSON.parse(rest.join("\n"))).toEqual(texts);
        expect(text).not.toContain("<");
        expect(preload).toBe("/assets/vendor-1.js");
      },
    ),
  );
});

test("3. the stream is used up", async () => {
  const context = rendered("[]\n");
  await clientText(context);
  expect(context).not.toHaveProperty("serverHandoffStream");
});

test("4. what the boot script would not start is refused", async () => {
  const other = {
    ...rendered("[]\n"),
    serverHandoffString: JSON.stringify({ ...ROUTER_CONTEXT, ssr: false }),
  };
  await expect(clientText(other)).rejects.toThrow("router-context.ts");
  await expect(clientText(rendered("[]\n", { clientLoaderModule: "/assets/loader-1.js" }))).rejects.toThrow(
    '"root"',
  );
});
