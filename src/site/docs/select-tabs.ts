/**
 * Selects tabs in an article's HTML, as `docs/components/tabs.ts` writes it, for a reader whose address has a setup.
 *
 *   <div class="tabs" data-group="shell">     becomes <div class="tabs" data-chosen="shell">: the boot script leaves
 *     <div role="tablist" …>                  it alone, which would apply what the browser remembers
 *       <button … id="a" aria-controls="a-panel" aria-selected="true">bash</button>…
 *     <div role="tabpanel" id="a-panel" aria-labelledby="a">…
 *
 * @param tabs group → label; where a group has no such tab, it stays as it is
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
