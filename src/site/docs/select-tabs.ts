/**
 * Selects tabs in an article's HTML (see `docs/components/tabs.ts`) for a reader whose address has a setup.
 *
 *   <div class="tabs" data-group="shell">     becomes <div class="tabs" data-chosen="shell">: the boot script skips it,
 *     <div role="tablist" …>                  which would otherwise apply the remembered choice
 *       <button … id="a" aria-controls="a-panel" aria-selected="true">bash</button>…
 *     <div role="tabpanel" id="a-panel" aria-labelledby="a">…
 *
 * @param tabs group → label; a group without that tab does not change
 */
export function selectTabs(html: string, tabs: ReadonlyMap<string, string>): string {
  const shown = new Map<string, boolean>();
  const withButtons = html.replace(
    /<div class="tabs" data-group="([\w-]+)">(<div role="tablist"[^<>]*>)((?:<button[^<>]*>[^<]*<\/button>)*)<\/div>/g,
    (all: string, group: string, list: string, buttons: string) => {
      const labels = [...buttons.matchAll(BUTTON)].map(([, , label = ""]) => label);
      const chosen = tabs.get(group);
      if (chosen === undefined || !labels.includes(chosen)) return all;
      const selected = buttons.replace(BUTTON, (_, attributes: string, label: string) => {
        const isChosen = label === chosen;
        const id = / id="([^"]+)"/.exec(attributes)?.[1];
        if (id) shown.set(id, isChosen);
        const state = isChosen ? 'aria-selected="true"' : 'aria-selected="false" tabindex="-1"';
        return `<button${attributes.replace(/ aria-selected="\w+"| tabindex="-1"/g, "")} ${state}>${label}</button>`;
      });
      return `<div class="tabs" data-chosen="${group}">${list}${selected}</div>`;
    },
  );
  return withButtons.replace(
    /(<div role="tabpanel" id="[^"]+" aria-labelledby="([^"]+)")(?: hidden)?>/g,
    (all: string, start: string, id: string) => {
      const isShown = shown.get(id);
      return isShown === undefined ? all : `${start}${isShown ? "" : " hidden"}>`;
    },
  );
}

/** Its attributes and its label. */
const BUTTON = /<button([^<>]*)>([^<]*)<\/button>/g;
