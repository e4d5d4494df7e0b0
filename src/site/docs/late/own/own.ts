/**
 * The documentation for a reader who is signed in: samples with their own names, tokens on a click, "Run this", their last
 * cache miss, and a quickstart that ticks itself. Fetched only by a browser with the cookie of `hint.ts`; decision 067.
 */
import { announce } from "#ui/announce.ts";
import { adoptStyles } from "../adopt-styles.ts";
import { make } from "../parts/make.ts";
import { AskError, askReader, listProjects, type Project, type Reader } from "./ask.ts";
import { keepChoice, type OwnChoice, readChoice, readViewed, watchChoice } from "./choice.ts";
import { forgetHint } from "./hint.ts";
import { createLastMiss, LAST_MISS_PAGE } from "./last-miss.ts";
import styles from "./own.css?inline";
import { createPanel, type Panel } from "./panel.ts";
import { openSamples, type Samples } from "./rewrite-samples.ts";
import { createRunThis } from "./run-this.ts";
import { createTokenButton } from "./token.ts";
import { askDeeds, clearTicks, QUICKSTART_PAGE, tickSteps } from "./ticks.ts";

interface Page {
  path: string;
  prose: HTMLElement;
  reader: Reader;
  samples: Samples;
  panel: Panel;
  signal: AbortSignal;
  /** Ends the work of the former choice. */
  former: AbortController;
}

/** @returns a function that stops this, and leaves the page as it came */
export function startOwn(prose: HTMLElement, path: string): () => void {
  const controller = new AbortController();
  void run(prose, path, controller.signal);
  return () => controller.abort();
}

async function run(prose: HTMLElement, path: string, signal: AbortSignal): Promise<void> {
  const reader = await askReader(signal).catch(() => undefined);
  // Offline or busy: the samples are as for everyone.
  if (reader === undefined || signal.aborted) return;
  if (reader === null) return forgetHint();
  if (reader.organizations.length === 0) return;
  adoptStyles(styles);
  adoptFragment(reader);
  const show = () => void showChoice(page);
  const choose = (change: OwnChoice) => {
    keepChoice({ ...readChoice(), ...change });
    show();
  };
  const panel = createPanel({
    onOrganization: (organization) => choose({ organization, project: "" }),
    onProject: (project) => choose({ project }),
    onSwitch: () => choose({ isOff: !readChoice().isOff }),
  });
  const samples = openSamples(prose);
  const page: Page = { path, prose, reader, samples, panel, signal, former: new AbortController() };
  const isWide = matchMedia("(width >= 1280px)");
  const place = () =>
    document.querySelector(isWide.matches ? ".doc-bar-links" : ".page-actions")?.append(panel.element);
  place();
  isWide.addEventListener("change", place, { signal });
  watchChoice(show, signal);
  signal.addEventListener("abort", () => {
    page.former.abort();
    removeParts(page);
    panel.element.remove();
  });
  show();
}

/** Shows the names of the stored choice, or the sample names. */
async function showChoice(page: Page): Promise<void> {
  const { reader, panel, samples } = page;
  page.former.abort();
  page.former = new AbortController();
  const signal = AbortSignal.any([page.signal, page.former.signal]);
  removeParts(page);
  const choice = readChoice();
  const isOff = choice.isOff === true;
  const ofId = (wanted: string | null | undefined) => reader.organizations.find(({ id }) => id === wanted);
  const organization = ofId(choice.organization) ?? ofId(readViewed()) ?? reader.organizations[0]!;
  const shown = { reader, organization: organization.id, isOff };
  if (isOff) return panel.update({ ...shown, projects: [], project: undefined, problem: "" });
  const projects = await listProjects(organization.name, signal).catch((error: unknown) => explain(error));
  if (signal.aborted) return;
  if (typeof projects === "string")
    return panel.update({ ...shown, projects: [], project: undefined, problem: projects });
  const project = projects.find(({ id }) => id === choice.project) ?? projects[0];
  const { host } = reader;
  const names = { host, organization: organization.name, project: project ?? null };
  const count = samples.show(names);
  panel.update({ ...shown, projects, project: project?.id, problem: "" });
  addBars(page, { organization: organization.name, project, signal });
  const more = await addRecords(page, { organization: organization.name, project, signal });
  if (!signal.aborted && count + more > 0)
    announce(
      `The samples have your names: organization ${organization.name}${project ? `, project ${project.name}` : ""}.`,
    );
}

interface Where {
  /** Its name. */
  organization: string;
  project: Project | undefined;
  signal: AbortSignal;
}

function addBars({ prose }: Page, where: Where): void {
  for (const figure of prose.querySelectorAll<HTMLElement>("figure.code")) {
    const token = createTokenButton(figure, where);
    const run = figure.querySelector(".prompt") ? createRunThis(figure, where.organization) : null;
    const parts = [run, token].filter((part) => part !== null);
    if (parts.length > 0)
      appendQuietly(figure, make("div", { className: "own-bar" }, ...parts), where.signal);
  }
}

/**
 * Moves nothing that the reader sees: a block that ends in the window gets its bar when the reader points at it, goes into it or
 * touches it, or when it has left the window.
 */
function appendQuietly(figure: HTMLElement, bar: HTMLElement, signal: AbortSignal): void {
  const controller = new AbortController();
  const append = () => {
    controller.abort();
    if (!signal.aborted) figure.append(bar);
  };
  const endsInWindow = () => {
    const { bottom } = figure.getBoundingClientRect();
    return bottom > 0 && bottom <= innerHeight;
  };
  if (!endsInWindow()) return append();
  const asked = { signal: AbortSignal.any([signal, controller.signal]) };
  for (const type of ["pointerenter", "pointerdown", "focusin"]) figure.addEventListener(type, append, asked);
  addEventListener("scroll", () => endsInWindow() || append(), { ...asked, passive: true });
}

/** What only some pages show. A failure leaves the page without it. @returns how much was added */
async function addRecords({ path, prose }: Page, where: Where): Promise<number> {
  const { organization, project, signal } = where;
  try {
    if (path === QUICKSTART_PAGE) {
      const deeds = await askDeeds({ organization, signal });
      return signal.aborted ? 0 : tickSteps(prose, deeds);
    }
    if (path !== LAST_MISS_PAGE) return 0;
    const miss = await createLastMiss({ organization, project: project?.id, signal });
    if (!miss || signal.aborted) return 0;
    // A phone shows the first paragraph above the outline.
    prose.firstElementChild?.after(miss);
    return 1;
  } catch {
    return 0;
  }
}

function removeParts({ prose, samples }: Page): void {
  samples.restore();
  clearTicks(prose);
  for (const part of prose.querySelectorAll(".own-bar,.miss")) part.remove();
}

/** @returns a sentence for the panel */
function explain(error: unknown): string {
  if (error instanceof AskError && error.isSignedOut) {
    forgetHint();
    return "Your session has ended, so the samples have sample names.";
  }
  return `The samples have sample names. ${error instanceof Error ? error.message : ""}`;
}

/** `#org=acme&project=prj_…`, from `millrace docs`: a choice among the reader's own organizations. Then it is removed. */
function adoptFragment({ organizations }: Reader): void {
  if (!location.hash.startsWith("#org=")) return;
  const values = new URLSearchParams(location.hash.slice(1));
  const organization = organizations.find(({ name, id }) => [name, id].includes(values.get("org") ?? ""));
  if (organization)
    keepChoice({ ...readChoice(), organization: organization.id, project: values.get("project") ?? "" });
  history.replaceState(history.state, "", location.pathname + location.search);
}
