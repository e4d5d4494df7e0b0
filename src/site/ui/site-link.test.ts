/**
 * 1. Inside the documentation, the path of a page becomes the router's link; query and fragment do not
 *    matter.
 * 2. Into, out of and outside the documentation, links are plain: the browser loads a whole document.
 * 3. So are links to files of the site and to other origins.
 * 4. Other properties are passed to the element in both cases.
 */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { describe, expect, it } from "vitest";
import { SiteLink } from "./site-link.tsx";

/** A router below /base: only its own links get the prefix, which distinguishes them from plain ones. */
function render(to: string, from = "/docs/cache/overview") {
  const link = createElement(SiteLink, { to, className: "quiet", "aria-current": "page" }, "text");
  return renderToStaticMarkup(
    createElement(MemoryRouter, { basename: "/base", initialEntries: [`/base${from}`] }, link),
  );
}

describe("SiteLink", () => {
  it.each(["/docs", "/docs/cli/reference#flags", "/docs?q=v1.2"])("(1) routes %s", (to) => {
    expect(render(to)).toContain(`href="/base${to}"`);
  });

  it.each([
    ["/docs", "/"],
    ["/", "/docs"],
    ["/status", "/"],
    ["/docsets", "/docs"],
  ])("(2) leaves %s on %s to the browser", (to, from) => {
    expect(render(to, from)).toContain(`href="${to}"`);
  });

  it.each(["/llms.txt", "/docs/cache/overview.md", "/docs/x.md?download=1", "https://example.com/docs"])(
    "(3) leaves %s to the browser",
    (to) => {
      expect(render(to)).toContain(`href="${to}"`);
    },
  );

  it.each(["/docs", "/llms.txt"])("(4) passes on the properties of %s", (to) => {
    expect(render(to)).toContain('class="quiet"');
    expect(render(to)).toContain('aria-current="page"');
  });
});
