/** Turns off two-step sign-in for a person who has lost the second step: by an owner, or by the operator's command. */
import type { Accounts } from "../contract/accounts.ts";
import { isOwnerOf } from "../contract/actor.ts";
import { type Caller, changeRecords } from "../changes/change-records.ts";
import { askDatabase } from "../contract/database-away.ts";
import { SERVER } from "../contract/audit.ts";
import { changeMember } from "./members.ts";
import type { OrganizationInput } from "./organizations.ts";
import { Refused } from "../contract/refused.ts";
import { turnOffTwoStep } from "../two-step/two-step.ts";

/** For owners of every organization of the person, because it protects all of them. */
export async function turnOffMembersTwoStep(
  accounts: Accounts,
  caller: Caller,
  input: OrganizationInput & { userId: string },
): Promise<void> {
  await changeMember(accounts, caller, { input, action: "member.two-step" }, async (change, member) => {
    const { userId } = member;
    const memberships = await change.transaction
      .selectFrom("members")
      .select("organization_id")
      .where("user_id", "=", userId)
      .execute();
    if (!memberships.every((row) => isOwnerOf(caller.actor, row.organization_id)))
      throw new Refused(
        "permission_denied",
        `${member.name} belongs to an organization that you do not own; ask the server's operator`,
      );
    await turnOffTwoStep(change, { userId, name: member.name });
  });
}

/**
 * The operator's command.
 * @param who a mail address, name or id
 * @returns the person's name
 * @throws Refused `not_found`, `failed_precondition` when several people have that name or it is not on
 */
export async function turnOffTwoStepOf(accounts: Accounts, who: string): Promise<string> {
  const text = who.trim();
  const people = await askDatabase(() =>
    accounts.db
      .selectFrom("users")
      .select(["id", "name", "mail"])
      .where((row) =>
        row.or([
          row("id", "=", text),
          row("mail", "=", text.toLowerCase()),
          // SQLite converts only ASCII to lower case.
          row("name", "=", text),
          row(row.fn<string>("lower", ["name"]), "=", text.toLowerCase()),
        ]),
      )
      .limit(20)
      .execute(),
  );
  const [person] = people;
  if (!person) throw new Refused("not_found", `no one here is called ${JSON.stringify(who)}`);
  if (people.length > 1)
    throw new Refused(
      "failed_precondition",
      `several people are called ${JSON.stringify(who)}: ${people.map(({ name, mail, id }) => `${name} (${mail ?? id})`).join(", ")}`,
    );
  const { id: userId, name } = person;
  const isOff = await changeRecords(accounts, SERVER, (change) => turnOffTwoStep(change, { userId, name }));
  if (!isOff) throw new Refused("failed_precondition", `two-step sign-in of ${name} is not on`);
  return name;
}
