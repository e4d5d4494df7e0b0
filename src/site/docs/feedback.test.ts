/** The end of a page says when it changed and when its commands ran, each only if that is known. */
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
  const ran =
    '<a href="/docs/faq#are-the-commands-on-these-pages-tested">Commands ran on 4be92d1f, 9 November 2026</a>';
  expect(lines({})).toBe(undefined);
  expect(lines({ updated: "2026-11-14" })).toBe('<p class="updated">Last updated 14 November 2026</p>');
  expect(lines({ ran: "4be92d1f 2026-11-09" })).toBe(`<p class="updated">${ran}</p>`);
  expect(lines({ updated: "2026-11-14", ran: "4be92d1f 2026-11-09" })).toBe(
    `<p class="updated">Last updated 14 November 2026${ran}</p>`,
  );
});
