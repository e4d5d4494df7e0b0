/** The panel above the article: whose names the samples have, with menus to choose others and a switch. */
import { make } from "../parts/make.ts";
import type { Project, Reader } from "./ask.ts";

export interface Panel {
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
  const title = make("b", {});
  const button = make("button", { type: "button", className: "you-off" });
  const list = make("dl", {});
  const problem = make("p", { className: "you-problem" });
  const element = make(
    "section",
    { className: "you", ariaLabel: "Your names in the samples" },
    make("div", { className: "you-h" }, title, button),
    list,
    problem,
  );
  element.dataset["private"] = "";
  button.addEventListener("click", onSwitch);
  const organizations = menu("Organization", onOrganization);
  const projects = menu("Project", onProject);
  const server = make("span", {});
  list.append(
    organizations.row,
    projects.row,
    make("div", {}, make("dt", {}, "Server"), make("dd", {}, server)),
  );
  return {
    element,
    update(shown) {
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
