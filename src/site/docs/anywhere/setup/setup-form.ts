import { SETUP_PARTS } from "./choices.ts";
import type { Setup } from "./setup.ts";

/**
 * The form that chooses a setup, as HTML: in a page that the server renders and in the dialog. Without a script it leads to
 * `?setup=…&setup=…`, which the server shortens.
 * @param setup the initial choice; with a script, the script sets it
 */
export function setupForm(setup: Setup = new Map()): string {
  const fields = SETUP_PARTS.map(({ id, name, values }) => {
    const options = [{ id: "", name: "No preference" }, ...values].map((value) => {
      const isChosen = value.id === (setup.get(id) ?? "");
      return `<option value="${value.id}"${isChosen ? " selected" : ""}>${value.name}</option>`;
    });
    return `<label>${name}<select name="setup" autocomplete="off">${options.join("")}</select></label>`;
  });
  return `<form class="setup-form" method="get">
<p>Your setup decides tabs and samples, the order of search results and copied Markdown. It is in the address, so you can share it.</p>
<div class="setup-fields">${fields.join("")}</div>
<p class="setup-actions"><button class="btn btn-action btn-sm" type="submit">Save my setup</button></p>
</form>`;
}
