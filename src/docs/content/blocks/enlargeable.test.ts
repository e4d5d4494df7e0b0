/**
 * 1. An image becomes a link to its file, unless it is in a link already.
 * 2. A diagram's drawing gets a button; other drawings (icons) get none.
 */
import { h, s } from "hastscript";
import { expect, test } from "vitest";
import { makeEnlargeable } from "./enlargeable.ts";

test("images (1)", () => {
  const image = () => h("img", { src: "/images/a.png", alt: "A" });
  const root = h(null, [h("p", [image()]), h("a", { href: "/docs/faq" }, [image()])]);
  makeEnlargeable(root);
  expect(root).toEqual(
    h(null, [
      h("p", [h("a", { href: "/images/a.png", dataLate: "zoom" }, [image()])]),
      h("a", { href: "/docs/faq" }, [image()]),
    ]),
  );
});

test("drawings (2)", () => {
  const root = h(null, [h("figure.flow", [s("svg"), h("figcaption", "C")]), h("p", [s("svg.icon")])]);
  makeEnlargeable(root);
  const button = h("button.enlarge", { type: "button", ariaLabel: "Enlarge the diagram" });
  expect(root).toEqual(
    h(null, [
      h("figure.flow", [h("span", { dataLate: "zoom" }, [s("svg"), button]), h("figcaption", "C")]),
      h("p", [s("svg.icon")]),
    ]),
  );
});
