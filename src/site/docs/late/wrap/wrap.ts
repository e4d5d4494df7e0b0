import { announce } from "#ui/announce.ts";
import { adoptStyles } from "../adopt-styles.ts";
import { make } from "../parts/make.ts";
import { rememberWrap } from "./wrap-choice.ts";
import styles from "./wrap.css?inline";

const root = document.documentElement;

/**
 * A code block with a line that does not fit gets a button that wraps the lines of every block, on this page and on later
 * pages. Copied code stays the same: the lines themselves do not change.
 */
export function start(figure: HTMLElement): void {
  adoptStyles(styles);
  if (figure.querySelector(".wrap") || !isTooWide(figure)) return;
  const button = make("button", { className: "wrap", type: "button", ariaLabel: "Wrap lines" });
  button.ariaPressed = String(isWrapped());
  button.addEventListener("click", () => {
    setWrapped(!isWrapped());
    announce(isWrapped() ? "Lines are wrapped" : "Lines are not wrapped");
  });
  // After the copy button: the next tab stop.
  figure.querySelector(".copy")?.after(button);
}

/** Applies the remembered choice to a page that has just been shown. */
export function applyWrap(): void {
  adoptStyles(styles);
  root.dataset["wrap"] = "";
}

const isWrapped = () => root.dataset["wrap"] === "";

function setWrapped(isOn: boolean): void {
  if (isOn) root.dataset["wrap"] = "";
  else delete root.dataset["wrap"];
  rememberWrap(isOn);
  for (const button of document.querySelectorAll(".wrap")) button.ariaPressed = String(isOn);
}

/** Measured without wrapping; nothing is painted in between. */
function isTooWide(figure: HTMLElement): boolean {
  const pre = figure.querySelector("pre");
  const wrap = root.dataset["wrap"];
  delete root.dataset["wrap"];
  const isWide = pre !== null && pre.scrollWidth > pre.clientWidth;
  if (wrap !== undefined) root.dataset["wrap"] = wrap;
  return isWide;
}
