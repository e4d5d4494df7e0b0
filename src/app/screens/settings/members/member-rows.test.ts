/** 1. The last owner is distinguished from one of several. 2. Methods, ends of links and counts in words. */
import { expect, test } from "vitest";
import type { Member } from "#api/gen/json-types.ts";
import {
  countRows,
  describeInvitationEnd,
  describeMethods,
  isLastOwner,
  toMemberRows,
} from "./member-rows.ts";

const member = (user_id: string, role: string): Member => ({
  user_id,
  name: user_id,
  mail: "",
  role,
  sign_in_methods: [],
  two_step: false,
});

test("1. the last owner", () => {
  const [ada, ruth, ben] = [member("ada", "owner"), member("ruth", "owner"), member("ben", "member")];
  expect(isLastOwner(ada, [ada, ruth, ben])).toBe(false);
  expect(isLastOwner(ada, [ada, ben])).toBe(true);
  expect(isLastOwner(ben, [ada, ben])).toBe(false);
});

test("2. words", () => {
  const methods = { passkey: true, oidc: "Google", github: true, mail: true };
  expect(describeMethods(["passkey", "oidc", "mail"], methods)).toBe("Passkey, Google, Link by mail");
  expect(describeMethods(["oidc", "smoke"], { ...methods, oidc: null })).toBe("OIDC, smoke");
  const now = Date.parse("2026-11-20T14:32:00Z");
  expect(describeInvitationEnd("2026-11-27T10:32:00Z", now)).toBe("link valid for 6 more days");
  expect(describeInvitationEnd("2026-11-20T18:32:00Z", now)).toBe("link valid for less than a day");
  expect(describeInvitationEnd("2026-11-20T14:00:00Z", now)).toBe("the link has expired");
  const [row] = toMemberRows([], [{ id: "inv_1", mail: "", role: "member", invited_by: "ada" }]);
  expect(row?.name).toBe("Anyone with the link");
  const invitation = { id: "inv_1", mail: "", role: "member", invited_by: "ada" };
  expect(countRows(toMemberRows([member("ada", "owner")], [invitation]))).toBe("1 member, 1 invitation");
  expect(countRows(toMemberRows([member("ada", "owner"), member("ben", "member")], []))).toBe("2 members");
});
