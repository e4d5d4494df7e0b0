/** On a full disk, what ends rights or gives room back goes through, and nothing else does: by the names of methods. */
import { expect, test } from "vitest";
import { createMethodTable } from "./methods.ts";

const ENDS = /^(?:Delete|End|Cancel|Finish|Purge|Remove|Reset|Revoke)/;
/** They may take a right away: an owner becomes a member. */
const MAY_END = ["OrganizationService/UpdateMember"];

test("urgent methods", () => {
  const named = [...createMethodTable().values()].flatMap((method) =>
    method.isPublic ? [] : [{ ...method, name: `${method.desc.parent.name}/${method.desc.name}` }],
  );
  // Of parts that this server has.
  const here = named.filter(({ name }) => !/^(?:Runner|Session)Service/.test(name));
  const isEnding = (name: string) => ENDS.test(name.split("/")[1] ?? "") || MAY_END.includes(name);
  expect(here.filter(({ isUrgent }) => isUrgent).map(({ name }) => name)).toEqual(
    here.map(({ name }) => name).filter(isEnding),
  );
  expect(here.filter(({ isUrgent, isCreate }) => isUrgent && isCreate)).toEqual([]);
});
