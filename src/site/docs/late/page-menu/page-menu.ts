import { adoptStyles } from "../adopt-styles.ts";
import { make } from "../parts/make.ts";
import * as setup from "../setup/dialog.ts";
import { setupQuery } from "../setup/reader-setup.ts";
import { isPublicOrigin } from "./public-origin.ts";

export { default as styles } from "./page-menu.css?inline";

interface Item {
  /** Name in the sprite: `l-` for Lucide's icons, `s-` for brands. */
  icon: string;
  label: string;
  /** An address, or an action. */
  to: string | (() => void);
}

/** The menu of actions for a page. It closes after a choice, Esc, Tab, a press elsewhere or a second press of its button. */
export function start(button: HTMLElement): void {
  const place = button.parentElement;
  const open = place?.querySelector<HTMLElement>(".menu");
  if (!place || open) return void open?.dispatchEvent(new Event("close"));
  const copy = place.querySelector<HTMLElement>(".swap");
  const menu = make(
    "div",
    { className: "menu" },
    ...itemsFor(pageAddress(), () => copy?.click()).map(itemElement),
  );
  menu.setAttribute("role", "menu");
  menu.ariaLabel = button.ariaLabel;
  const end = new AbortController();
  const { signal } = end;
  const close = (isFocusBack: boolean) => {
    end.abort();
    menu.remove();
    button.ariaExpanded = "false";
    if (isFocusBack) button.focus();
  };
  menu.addEventListener("close", () => close(true), { signal });
  menu.addEventListener("click", () => setTimeout(close, 0, true), { signal });
  menu.addEventListener(
    "keydown",
    (event) => {
      if (event.key === "Tab") return close(true);
      if (event.key === "Escape") close(true);
      else if (!moveFocus([...menu.children], event.key)) return;
      event.preventDefault();
      event.stopPropagation();
    },
    { signal },
  );
  addEventListener(
    "pointerdown",
    ({ target }) => target instanceof Node && !place.contains(target) && close(false),
    { signal },
  );
  place.append(menu);
  button.ariaExpanded = "true";
  moveFocus([...menu.children], "Home");
}

/** The page's canonical address, from the server: behind a proxy, the browser's address may differ. */
function pageAddress(): string {
  const canonical = document.querySelector<HTMLLinkElement>('link[rel="canonical"]');
  return canonical?.href ?? location.origin + location.pathname;
}

function itemsFor(page: string, copy: () => void): Item[] {
  const markdown = `.md${setupQuery()}`;
  const items: Item[] = [
    { icon: "l-copy", label: "Copy as Markdown", to: copy },
    { icon: "l-file-text", label: "View as Markdown", to: new URL(page).pathname + markdown },
    { icon: "l-sliders-horizontal", label: "My setup", to: openSetup },
  ];
  // Agents that run elsewhere, if they can fetch the page.
  if (!isPublicOrigin(page)) return items;
  const prompt = encodeURIComponent(`Read ${page}${markdown} and help me with it.`);
  return [
    ...items,
    { icon: "s-claude", label: "Open in Claude", to: `https://claude.ai/new?q=${prompt}` },
    { icon: "s-cursor", label: "Open in Cursor", to: `https://cursor.com/link/prompt?text=${prompt}` },
  ];
}

/** Waits until the menu has closed: then the focus is on its button, and returns there. */
function openSetup(): void {
  adoptStyles(setup.styles);
  // The menu closes in a separate task, queued after the first timeout; the second timeout runs after it.
  setTimeout(setTimeout, 0, setup.start);
}

function itemElement({ icon, label, to }: Item): HTMLElement {
  const content = [iconElement(icon), make("span", {}, label)];
  const item =
    typeof to === "string"
      ? make("a", { href: to }, ...content)
      : make("button", { type: "button" }, ...content);
  if (typeof to !== "string") item.addEventListener("click", to);
  item.setAttribute("role", "menuitem");
  item.tabIndex = -1;
  return item;
}

function iconElement(name: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", name.startsWith("s-") ? "tech" : "icon");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${__SPRITE_URL__}#${name}`);
  svg.append(use);
  return svg;
}

/** Menu keys: arrows wrap, Home and End go to the ends. @returns whether the key was one of them. */
function moveFocus(items: Element[], key: string): boolean {
  const current = items.findIndex((item) => item === document.activeElement);
  const targets = new Map([
    ["ArrowDown", current + 1],
    ["ArrowUp", current - 1],
    ["Home", 0],
    ["End", -1],
  ]);
  const target = targets.get(key);
  if (target === undefined) return false;
  const item = items.at(target % items.length);
  if (item instanceof HTMLElement) item.focus();
  return true;
}
