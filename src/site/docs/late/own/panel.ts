/**
 * A button in the bar, on a phone beside the page's actions, that says whose names the samples have, and the panel that it opens: menus to choose others, a
 * switch, and the way to the reader's tokens and to the application. It lies above the page, so that its arrival moves nothing.
 */
import { make } from "../parts/make.ts";
import type { Project, Reader } from "./ask.ts";
import { isSafeName } from "./sample-words.ts";

export interface Panel {
  /** The button and the panel. */
  element: HTMLElement;
  update: (shown: Shown) => void;
}

export interface Shown {
  reader: Reader;
  /** Its id. */
  organization: string;
  projects: readonly Project[];
  /** Its id; absent: the organization has no project. */
  project: string | undefined;
  isOff: boolean;
  /** A sentence about what failed; empty: nothing did. */
  problem: string;
}

interface Choices {
  onOrganization: (id: string) => void;
  onProject: (id: string) => void;
  onSwitch: () => void;
}

export function createPanel({ onOrganization, onProject, onSwitch }: Choices): Panel {
  const name = make("span", {});
  const opener = make("button", { type: "button", className: "own-who", hidden: true }, name);
  const title = make("b", {});
  const button = make("button", { type: "button", className: "you-off" });
  const list = make("dl", {});
  const problem = make("p", { className: "you-problem" });
  const panel = make(
    "section",
    { className: "you", ariaLabel: "Your names in the samples", popover: "auto" },
    make("div", { className: "you-h" }, title, button),
    list,
    problem,
  );
  const element = make("div", { className: "own-place" }, opener, panel);
  element.dataset["private"] = "";
  opener.popoverTargetElement = panel;
  panel.addEventListener("beforetoggle", () => placeBelow(opener, panel));
  button.addEventListener("click", onSwitch);
  const organizations = menu("Organization", onOrganization);
  const projects = menu("Project", onProject);
  const server = make("span", {});
  const tokens = make("a", {}, "Your tokens");
  const application = make("a", {}, "Open the app");
  const row = (label: string, ...content: Node[]) =>
    make("div", {}, make("dt", {}, label), make("dd", {}, ...content));
  list.append(organizations.row, projects.row, row("Server", server), row("Tokens", tokens, application));
  return {
    element,
    update(shown) {
      const organization = shown.reader.organizations.find(({ id }) => id === shown.organization)?.name ?? "";
      name.textContent = organization;
      opener.hidden = false;
      opener.dataset["initial"] = organization.slice(0, 1);
      opener.ariaLabel = `Samples for ${organization}`;
      // A name that is more than a name does not become an address.
      const base = isSafeName(organization) ? `/app/${organization}` : "/app";
      tokens.href = isSafeName(organization) ? `${base}/settings/tokens` : base;
      application.href = base;
      title.textContent = shown.isOff ? "The samples have sample names" : "The samples are yours";
      button.textContent = shown.isOff ? "Show my names" : "Show sample names";
      list.hidden = shown.isOff;
      organizations.fill(shown.reader.organizations, shown.organization);
      projects.fill(shown.projects, shown.project);
      server.textContent = shown.reader.host;
      problem.textContent = shown.problem;
      problem.hidden = shown.problem === "";
    },
  };
}

/** A menu of one thing is a text. */
function menu(label: string, onChoose: (id: string) => void) {
  const select = make("select", { ariaLabel: label });
  const only = make("span", {});
  select.addEventListener("change", () => onChoose(select.value));
  return {
    row: make("div", {}, make("dt", {}, label), make("dd", {}, select, only)),
    fill(choices: readonly { id: string; name: string }[], chosen: string | undefined) {
      const isMenu = choices.length > 1;
      select.hidden = !isMenu;
      only.hidden = isMenu;
      only.textContent = choices[0]?.name ?? "none yet";
      select.replaceChildren(...choices.map(({ id, name }) => make("option", { value: id }, name)));
      if (chosen !== undefined) select.value = chosen;
    },
  };
}

/** As wide as a phone allows, at most 26 rem; below the button, inside the window. */
function placeBelow(opener: HTMLElement, panel: HTMLElement): void {
  const { right, bottom } = opener.getBoundingClientRect();
  const space = document.documentElement.clientWidth - 32;
  const width = Math.min(416, space);
  panel.style.width = `${width}px`;
  panel.style.left = `${16 + Math.min(Math.max(0, right - 16 - width), space - width)}px`;
  panel.style.top = `${bottom + scrollY + 6}px`;
}
