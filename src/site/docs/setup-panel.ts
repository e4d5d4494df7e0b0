import { setupForm } from "./anywhere/setup/setup-form.ts";
import { describeSetup, formatSetup, type Setup } from "./anywhere/setup/setup.ts";
import styles from "./anywhere/setup/setup.css?inline";

/**
 * The panel of a page whose address has `?setup=`: the setup that the page is shown for, and the form. Open if nothing is
 * chosen: the control leads there without a script. It includes its styles, because no other page needs them.
 */
export function setupPanel(setup: Setup): string {
  const isChosen = setup.size > 0;
  const summary = isChosen
    ? `<span>Shown for <b>${describeSetup(setup)}</b>.</span> <span class="setup-change">Keep or change</span>`
    : "My setup";
  // Without a script, results keep the setup.
  const kept = isChosen
    ? `<input type="hidden" form="search" name="setup" value="${formatSetup(setup)}">`
    : "";
  return `${kept}<style>${styles}</style><details class="setup-panel" data-setup${isChosen ? "" : " open"}><summary>${summary}</summary>${setupForm(setup)}</details>`;
}
