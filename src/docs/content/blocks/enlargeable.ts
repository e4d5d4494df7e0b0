import type { Element, ElementContent, Root } from "hast";
import { h } from "hastscript";

/**
 * Lets readers enlarge drawings and images (`src/site/docs/late/zoom/`): an image becomes a link to its file, which also
 * works without a script; a drawing, which has no file, gets a button.
 */
export function makeEnlargeable(node: Root | Element): void {
  node.children = node.children.map((child): Root["children"][number] => {
    if (child.type !== "element" || child.tagName === "a") return child;
    if (child.tagName === "img")
      return h("a", { href: String(child.properties.src), dataLate: "zoom" }, [child]);
    if (child.tagName === "svg" && isDiagram(node)) return drawing(child);
    makeEnlargeable(child);
    return child;
  }) as ElementContent[]; // elements and text, as before
}

function isDiagram(node: Root | Element): boolean {
  return (
    node.type === "element" &&
    Array.isArray(node.properties.className) &&
    node.properties.className.includes("flow")
  );
}

function drawing(svg: Element): Element {
  const button = h("button", { className: ["enlarge"], type: "button", ariaLabel: "Enlarge the diagram" });
  return h("span", { dataLate: "zoom" }, [svg, button]);
}
