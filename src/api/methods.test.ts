/**
 * 1. On a full disk, methods that end rights or free space work, and no others: by the names of methods.
 * 2. For every method there is a decision whether it is a dangerous act, which a browser's person confirms first.
 */
import { create } from "@bufbuild/protobuf";
import { expect, test } from "vitest";
import { createMethodTable } from "./methods.ts";

const ENDS = /^(?:Delete|End|Cancel|Finish|Purge|Remove|Reset|Revoke)/;
/** These may take a right away: an owner becomes a member. */
const MAY_END = ["OrganizationService/UpdateMember"];

test("1. urgent methods", () => {
  const named = [...createMethodTable().values()].flatMap((method) =>
    method.isPublic ? [] : [{ ...method, name: `${method.desc.parent.name}/${method.desc.name}` }],
  );
  // Methods of parts that this server has.
  const here = named.filter(({ name }) => !/^(?:Runner|Session)Service/.test(name));
  const isEnding = (name: string) => ENDS.test(name.split("/")[1] ?? "") || MAY_END.includes(name);
  expect(here.filter(({ isUrgent }) => isUrgent).map(({ name }) => name)).toEqual(
    here.map(({ name }) => name).filter(isEnding),
  );
  expect(here.filter(({ isUrgent, isCreate }) => isUrgent && isCreate)).toEqual([]);
});

/** Methods that need a confirmation: always, or for some requests, with whether each is asked. */
const DANGEROUS: Readonly<
  Record<string, "always" | readonly (readonly [Record<string, unknown>, boolean])[]>
> = {
  "AccountService/DeletePasskey": "always",
  "AccountService/Update": [
    [{ name: "ada" }, false],
    [{ mail: "" }, true],
    [{ name: "ada", mail: "ada@acme.example" }, true],
  ],
  "BuilderService/GetEndpoint": "always",
  "CacheService/Purge": "always",
  "CacheService/Reset": "always",
  "ImageService/Delete": "always",
  "ImageService/Tag": "always",
  "MirrorService/Delete": "always",
  "MirrorService/Set": "always",
  "OrganizationService/CreateInvitation": "always",
  "OrganizationService/Delete": "always",
  "OrganizationService/RemoveMember": "always",
  "OrganizationService/TurnOffTwoStep": "always",
  "OrganizationService/UpdateMember": "always",
  "ProjectService/Delete": "always",
  "ProjectService/ResetCache": "always",
  "ProjectService/Update": [
    [{ trustRelationships: [], name: "web", builderSize: 8 }, false],
    [{ immutableTags: ["v*"], clearSpoiledCache: true }, false],
    [{ retentionDays: 7 }, true],
    [{ cacheSizeBytes: 1n }, true],
    [{ name: "web", retentionDays: 0 }, true],
    [{ trustRelationships: [], clearTrustRelationships: true }, true],
    [{ trustRelationships: [{ issuer: "https://ci.example" }] }, true],
  ],
  "TokenService/Create": [
    [{ type: "user", readOnly: true }, false],
    [{ type: "project", readOnly: false }, true],
  ],
};
/** These read, or change what anyone can repair. A new method belongs here or above. */
const HARMLESS = `
  AccountService/EndSignIn AccountService/ListPasskeys AccountService/ListSignIns AccountService/WhoAmI
  BuildService/CancelBuild BuildService/CreateBuild BuildService/ExplainStep BuildService/FinishBuild BuildService/GetBuild
  BuildService/ListBuilds BuildService/StreamLogs BuildService/WatchBuild
  BuilderService/ListCapabilities BuilderService/ListLayerCaches BuilderService/ListPlatforms
  CacheService/GetUsage CacheService/ListLargeEntries CacheService/ListMisses CacheService/ListWriters CacheService/Simulate
  ImageService/Get ImageService/List ImageService/ListRepositories
  MirrorService/List
  OrganizationService/Create OrganizationService/Get OrganizationService/List OrganizationService/ListAuditEvents
  OrganizationService/ListInvitations OrganizationService/ListMembers OrganizationService/RevokeInvitation
  OrganizationService/Update
  ProjectService/Create ProjectService/Get ProjectService/GetCacheUsage ProjectService/List ProjectService/TestTrust
  TokenService/List TokenService/ListExchanges TokenService/Restore TokenService/Revoke
  UsageService/GetUsage
`.match(/\S+/g)!;

test("2. dangerous methods", () => {
  const here = [...createMethodTable().values()].filter(
    ({ isPublic, desc }) => !isPublic && !/\.(?:Runner|Session)Service$/.test(desc.parent.typeName),
  );
  const names = here.map(({ desc }) => `${desc.parent.name}/${desc.name}`);
  expect(names.toSorted()).toEqual([...Object.keys(DANGEROUS), ...HARMLESS].toSorted());
  for (const method of here) {
    if (method.isPublic) continue;
    const { desc, isGuarded } = method;
    const name = `${desc.parent.name}/${desc.name}`;
    const wanted = DANGEROUS[name] ?? [[{}, false]];
    const cases = wanted === "always" ? ([[{}, true]] as const) : wanted;
    for (const [request, isDangerous] of cases)
      expect([name, request, isGuarded(create(desc.input, request))]).toEqual([name, request, isDangerous]);
  }
});
