import { announce } from "#ui/announce.ts";
import { make } from "../parts/make.ts";
import { openDialog } from "../parts/open-dialog.ts";
import { readerSetup, setupOfForm, startForm } from "./reader-setup.ts";
import { setupForm } from "../../anywhere/setup/setup-form.ts";
import { setupQueryOf } from "../../anywhere/setup/setup.ts";

export { default as styles } from "../../anywhere/setup/setup.css?inline";

/** Asks for the setup. */
export function start(): void {
  const content = make("div", { className: "setup-body" });
  content.innerHTML = setupForm();
  const form = content.querySelector("form");
  if (!form) return;
  startForm(form, readerSetup());
  const copy = make("button", { className: "btn btn-line btn-sm", type: "button" }, "Copy link");
  copy.addEventListener("click", () => copyLink(form));
  form.querySelector(".setup-actions")?.append(copy);
  const dialog = openDialog({ title: "My setup", className: "setup-dialog", content: [content] });
  dialog.querySelector("select")?.focus();
}

function copyLink(form: HTMLFormElement): void {
  const link = location.origin + location.pathname + setupQueryOf(setupOfForm(form));
  navigator.clipboard.writeText(link).then(
    () => announce("Copied"),
    () => announce("Copying failed"),
  );
}
