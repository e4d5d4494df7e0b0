/** Whether the reader wraps the lines of code: `localStorage.wrap`, "on" or absent. */
const STORAGE_KEY = "wrap";

export function isWrapRemembered(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === "on";
  } catch {
    return false;
  }
}

/** If storage is full or forbidden, the choice lasts for the page. */
export function rememberWrap(isOn: boolean): void {
  try {
    if (isOn) localStorage.setItem(STORAGE_KEY, "on");
    else localStorage.removeItem(STORAGE_KEY);
  } catch {}
}
