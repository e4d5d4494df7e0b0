/**
 * The consent question, without React: usable as soon as the page is painted, also on phones. The boot script loads
 * this separate file for readers who have not answered. The answer is stored in this browser; the click also loads
 * the client, which starts whatever the answer allows.
 */
import { CHOICE_KEY, doesBrowserRefuse } from "#telemetry/browser/choice.ts";

/** The operator's requests: `analytics recording`. Set by the build. */
declare const __CHOICES__: string;

/** For the survey, which is not shown on the page where the reader answered; see `reader/measuring.ts`. */
const root = document.documentElement;
/** The page with the switches asks on its own. */
const isAsked = !doesBrowserRefuse() && location.pathname !== "/your-data";
const place = document.querySelector(".ask");

if (isAsked && place) ask(place);

function ask(place: Element): void {
  const question = document.createElement("article");
  question.className = "notice";
  question.id = "consent";
  question.ariaLabel = "May we see how these pages are used?";
  question.innerHTML = `<h2>${question.ariaLabel}</h2>
<button class="icon-btn" type="button" value="necessary" aria-label="Close: necessary only"><svg class="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true"><path d="M18 6 6 18M6 6l12 12"/></svg></button>
<p>${textFor(__CHOICES__)}</p>
<div class="notice-actions">
<button class="btn btn-line btn-sm" type="button" value="${__CHOICES__}">Accept all</button>
<button class="btn btn-line btn-sm" type="button" value="necessary">Necessary only</button>
<a class="text-link" href="/your-data">Choose…</a>
</div>`;
  place.append(question);
  // Content below the question can be scrolled above it, and so can the focused element.
  const observer = new ResizeObserver(() => root.style.setProperty("--ask", `${question.offsetHeight}px`));
  observer.observe(question);

  question.addEventListener("click", ({ target }) => {
    const answer = (target as Element).closest("button")?.value;
    if (!answer) return;
    root.dataset["answered"] = "";
    try {
      localStorage[CHOICE_KEY] = answer;
    } catch {
      // Storage is full: the answer only closes the question.
    }
    // Browsers send this event to other tabs only.
    dispatchEvent(new StorageEvent("storage", { key: CHOICE_KEY }));
  });
  addEventListener("storage", ({ key }) => {
    if (key !== CHOICE_KEY) return;
    observer.disconnect();
    root.style.removeProperty("--ask");
    question.remove();
  });
}

/** The question, and the promise that applies until the answer, word for word as in decisions/011. */
function textFor(choices: string): string {
  const asked = [
    choices.includes("analytics") && "count pages, searches and clicks",
    choices.includes("recording") && "record how a page is used, without what you type",
  ];
  return `We would like to ${asked.filter(Boolean).join(", and ")}. Before you answer, pages and search words are only counted by day, without any other data, and an error report contains nothing about you.`;
}
