/** Addresses below `/app` that are pages in front of the application, or made by another program. */
const OUTSIDE = /^\/app\/(?:start|sign-in|mail|join|device|assets|dev)(?:[/?#]|$)/;

/** Whether the frame has a screen at this address; others are loaded as a page. */
export function isAppAddress(address: string): boolean {
  return /^\/(?:app|console)(?:[/?#]|$)/.test(address) && !OUTSIDE.test(address);
}
