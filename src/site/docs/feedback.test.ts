/** The end of a page has the lines that are known, and links to what one of them means. */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { Feedback } from "./feedback.tsx";

vi.stubGlobal("__SPRITE_URL__", "/sprite.svg");

const lines = (known: { updated?: string; ran?: string }) =>
  /<p class="updated">.*<\/p>/.exec(
    renderToStaticMarkup(createElement(Feedback, { ...known, onSend: () => Promise.resolve() })),
  )?.[0];

test("lines", () => {
  const ran = "Commands ran on 4be92d1f, 9 November 2026";
  const link = `<a href="/docs/faq#are-the-commands-on-these-pages-tested">${ran}</a>`;
  expect(lines({})).toBe(undefined);
  expect(lines({ updated: "Last updated today" })).toBe('<p class="updated">Last updated today</p>');
  expect(lines({ ran })).toBe(`<p class="updated">${link}</p>`);
  expect(lines({ updated: "Last updated today", ran })).toBe(
    `<p class="updated">Last updated today${link}</p>`,
  );
});
