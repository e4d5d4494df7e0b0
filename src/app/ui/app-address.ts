/** Addresses below `/app` that are pages in front of the application, or served by another program. */
const OUTSIDE = /^\/app\/(?:start|sign-in|mail|join|device|assets|dev)(?:[/?#]|$)/;

/** Whether the frame has a screen for this address; other addresses are page loads. */
export function isAppAddress(address: string): boolean {
  return /^\/(?:app|console)(?:[/?#]|$)/.test(address) && !OUTSIDE.test(address);
}
