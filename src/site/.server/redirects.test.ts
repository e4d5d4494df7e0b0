/**
 * 1. A page's old address redirects to the new one with 308; so do the addresses of its Markdown and its data.
 * 2. A query is kept; so is a fragment, by the browser, unless the new address has its own.
 * 3. Letter case does not matter; any other address is left to others.
 */
import { expect, test } from "vitest";
import { createRedirects } from "./redirects.ts";

const answer = createRedirects([
  { from: "/docs/Old", to: "/docs/new" },
  { from: "/guide", to: "/docs/new#start" },
]);
const ask = (path: string) => answer(new Request(`https://docs.example.com${path}`));

test.each([
  ["/docs/old", "/docs/new"],
  ["/docs/OLD", "/docs/new"],
  ["/docs/old.md", "/docs/new.md"],
  ["/docs/old.data?_routes=a", "/docs/new.data?_routes=a"],
  ["/docs/old?q=two+words", "/docs/new?q=two+words"],
  ["/guide?x=1", "/docs/new?x=1#start"],
  ["/guide.md", "/docs/new.md"],
])("1, 2, 3. %s → %s", (path, location) => {
  const response = ask(path);
  expect(response?.status).toBe(308);
  expect(response?.headers.get("location")).toBe(location);
});

test.each(["/docs", "/docs/old/more", "/docs/older", "/docs/old.png", "/%E0%A4%A", "//docs/old"])(
  "3. %s is not an old address",
  (path) => expect(ask(path)).toBeUndefined(),
);
