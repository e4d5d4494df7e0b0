/** The cookie that tells a page that someone is signed in (`src/accounts/sign-in/browser/cookies.ts`). It is not a secret. */
export const isSignInHinted = () => document.cookie.includes("millrace-reader=1");

export function forgetHint(): void {
  // oxlint-disable-next-line unicorn/no-document-cookie -- `cookieStore` exists only on https
  document.cookie = "millrace-reader=; Path=/docs; Max-Age=0";
}
