import type { CDPSession, Page } from "@playwright/test";

/**
 * A passkey that needs no touch, for pages of Chromium.
 * @param verifiesUser false: a key without a PIN
 */
export async function addVirtualAuthenticator(
  page: Page,
  verifiesUser = true,
): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("WebAuthn.enable");
  const { authenticatorId: id } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: verifiesUser,
      isUserVerified: verifiesUser,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id };
}
