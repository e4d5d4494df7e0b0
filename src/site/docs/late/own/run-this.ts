/** "Run this": the place in the application where a sample's command can be done, or the whole block for the terminal. */
import { announce } from "#ui/announce.ts";
import { make } from "../parts/make.ts";
import { isSafeName } from "./sample-words.ts";

interface Place {
  /** Against a block's commands. */
  command: RegExp;
  /** Below `/app/<organization>/`. */
  path: string;
  /** Completes "Run this in the app: …". */
  label: string;
}

/** The first that matches. Commands whose place in the application would do something else have none. */
const PLACES: readonly Place[] = [
  { command: /^millrace tokens create\b/m, path: "settings/tokens?new=1", label: "create a token" },
  { command: /^millrace tokens (?:list|revoke)\b/m, path: "settings/tokens", label: "your tokens" },
  { command: /^millrace projects create\b/m, path: "projects?new=1", label: "create a project" },
  {
    command: /^millrace projects update\b.*--trust\b/m,
    path: "settings/trust",
    label: "trust relationships",
  },
  { command: /^millrace projects (?:list|get)\b/m, path: "projects", label: "your projects" },
  { command: /^millrace builds list\b/m, path: "builds", label: "your builds" },
  { command: /^millrace images list\b/m, path: "images", label: "your images" },
  { command: /^millrace cache (?:usage|reset)\b/m, path: "cache", label: "your caches" },
  { command: /^millrace orgs show\b/m, path: "settings/members", label: "members" },
];

const placeFor = (commands: string) => PLACES.find(({ command }) => command.test(commands));

/** The address of a build in the application; undefined for an answer with an unknown form. */
export const buildAddress = (organization: string, build: string) =>
  isSafeName(organization) && /^bld_[a-z0-9]{10}$/.test(build)
    ? `/app/${organization}/builds/${build}`
    : undefined;

/** @param figure a block with a terminal's commands */
export function createRunThis(figure: HTMLElement, organization: string): HTMLElement {
  const place = isSafeName(organization) ? placeFor(commandsOf(figure)) : undefined;
  if (place) {
    const ariaLabel = `Run this in the app: ${place.label}`;
    return make(
      "a",
      { className: "run", href: `/app/${organization}/${place.path}`, ariaLabel },
      "Run this in the app",
    );
  }
  const button = make("button", { className: "run", type: "button" }, "Copy to run this");
  const status = make("span", { className: "own-status" });
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(commandsOf(figure)).then(
      () => tell(status, "Copied. Paste it into a terminal."),
      () => tell(status, "Copying failed"),
    );
  });
  return make("span", { className: "own-part" }, button, status);
}

/** Shows the text, and announces it. */
export function tell(status: HTMLElement, ...parts: (Node | string)[]): void {
  status.replaceChildren(...parts);
  announce(status.textContent);
}

function commandsOf(figure: HTMLElement): string {
  const copy = figure.querySelector<HTMLElement>(".copy")?.dataset["copy"];
  return copy ?? figure.querySelector("code")?.textContent ?? "";
}
