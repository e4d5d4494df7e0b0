import { fetchAhead, loadDialog } from "../../ui/overlays/load.ts";

export const loadCommandMenu = () => import("./command-menu.tsx");

export function fetchCommandMenu(): void {
  fetchAhead(loadDialog);
  fetchAhead(loadCommandMenu);
}
