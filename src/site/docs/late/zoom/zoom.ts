import { make } from "../parts/make.ts";
import { openDialog } from "../parts/open-dialog.ts";

export { default as styles } from "./zoom.css?inline";

/** Widths of the picture, as multiples of the width at which all of it is visible. */
const SCALES = [1, 1.5, 2, 3, 4];

/** Shows a drawing or an image as large as the window, and larger; pinching enlarges it like the page. */
export function start(place: HTMLElement): void {
  const original = place.querySelector<SVGElement | HTMLImageElement>("svg, img");
  if (!original) return;
  const picture = original.cloneNode(true) as typeof original; // the same kind of node
  if (picture instanceof HTMLImageElement) picture.loading = "eager";
  const figure = place.closest("figure");
  const caption = figure?.querySelector("figcaption")?.textContent;
  const frame = make("div", { className: "zoom-frame flow", tabIndex: 0 }, picture);
  frame.setAttribute("role", "group");
  frame.ariaLabel = "Picture, can be moved";
  let scale = 0;
  const smaller = make(
    "button",
    { className: "btn btn-line btn-sm", type: "button", ariaLabel: "Smaller" },
    "−",
  );
  const larger = make(
    "button",
    { className: "btn btn-line btn-sm", type: "button", ariaLabel: "Larger" },
    "+",
  );
  const show = (next: number) => {
    scale = Math.min(Math.max(next, 0), SCALES.length - 1);
    const [x, y] = [
      middle(frame.scrollLeft, frame.clientWidth, frame.scrollWidth),
      middle(frame.scrollTop, frame.clientHeight, frame.scrollHeight),
    ];
    frame.style.setProperty("--scale", String(SCALES[scale]));
    frame.scrollTo(
      x * frame.scrollWidth - frame.clientWidth / 2,
      y * frame.scrollHeight - frame.clientHeight / 2,
    );
    smaller.disabled = scale === 0;
    larger.disabled = scale === SCALES.length - 1;
  };
  smaller.addEventListener("click", () => show(scale - 1));
  larger.addEventListener("click", () => show(scale + 1));
  picture.addEventListener("click", () => show(scale === 0 ? 2 : 0));
  const dialog = openDialog({
    title: caption || original.getAttribute("alt") || "Picture",
    className: "zoom-dialog",
    tools: [smaller, larger],
    content: [frame],
  });
  dialog.addEventListener("keydown", (event) => {
    const steps: Record<string, number> = { "+": scale + 1, "=": scale + 1, "-": scale - 1, "0": 0 };
    const next = steps[event.key];
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    show(next);
  });
  show(0);
  frame.focus();
}

/** The position in the middle of the frame, from 0 to 1, which is kept when the size changes. */
const middle = (scroll: number, shown: number, all: number) => (scroll + shown / 2) / all;
