import type { Page } from "@playwright/test";

/** Places that still have a secret: the page, its fields, the address, the history, the storage. */
export function placesWith(page: Page, secret: string) {
  return page.evaluate((text) => {
    const places = {
      page: document.documentElement.outerHTML,
      fields: [...document.querySelectorAll("input")].map(({ value }) => value).join("\n"),
      address: location.href,
      history: JSON.stringify(history.state),
      local: JSON.stringify(localStorage),
      session: JSON.stringify(sessionStorage),
    };
    return Object.entries(places).flatMap(([name, value]) => (value.includes(text) ? [name] : []));
  }, secret);
}
