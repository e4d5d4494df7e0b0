/**
 * 1. A refusal keeps its lines, one for each claim that differs, and has no other character that a terminal acts on.
 */
import { Code, ConnectError } from "@connectrpc/connect";
import { expect, test } from "vitest";
import { refusalOf } from "./api-errors.ts";

test("1. the lines of a refusal", async () => {
  const lines = [
    "no trust relationship matches",
    '  ref: wanted "main", got "dev\u001b[2J\u202e"',
    '  sub: got "x"',
  ];
  const refused = await refusalOf(new ConnectError(lines.join("\n"), Code.PermissionDenied), undefined);
  expect(refused?.message.split("\n")).toEqual([
    "permission_denied: no trust relationship matches",
    '  ref: wanted "main", got "dev"',
    '  sub: got "x"',
  ]);
});
