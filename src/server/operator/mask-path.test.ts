/** 1. Keys within addresses are masked; every other address stays unchanged. */
import { expect, test } from "vitest";
import { maskPath } from "./mask-path.ts";

test.each([
  ["/search/keys/0123abcd", "/search/keys/…"],
  ["/search/keys/0123abcd/", "/search/keys/…/"],
  ["/auth/start/4F7Q-2MXR-9KTD", "/auth/start/…"],
  ["/app/start/4F7Q-2MXR-9KTD", "/app/start/…"],
  ["/App/Start/4F7Q-2MXR-9KTD/x", "/App/Start/…/x"],
  ["/auth/mail/4F7Q2MXR9KTD", "/auth/mail/…"],
  ["/app/join/4F7Q2MXR9KTD", "/app/join/…"],
  ["/auth/invitation/4F7Q2MXR9KTD", "/auth/invitation/…"],
  ["/auth/passkey/sign-in", "/auth/passkey/sign-in"],
  ["/docs/start/here", "/docs/start/here"],
  ["/auth/start", "/auth/start"],
])("1. %s is logged as %s", (path, logged) => expect(maskPath(path)).toBe(logged));
