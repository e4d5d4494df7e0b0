import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { call } from "../../data/call.ts";
import { useHere } from "../../data/organization.ts";
import { addressOf } from "../../page/places.ts";
import type { Membership } from "../../data/answers.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Section, SectionRow } from "./section.tsx";

export function Organizations() {
  const { organizations } = useHere().user;
  const sorted = organizations.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const [asked, ask] = useState<Membership | null>(null);
  return (
    <Section title="Organizations">
      {sorted.length === 0 && <SectionRow title="None yet" text="An owner can invite you." />}
      {sorted.map((organization) => (
        <SectionRow
          key={organization.id}
          title={
            <Link className="link" to={addressOf(organization.name, "")}>
              {organization.name}
            </Link>
          }
          text={
            <>
              {organization.role === "owner" ? "Owner" : "Member"},{" "}
              <span className="mono">{organization.id}</span>
            </>
          }
        >
          <button
            className="btn danger"
            type="button"
            aria-label={`Leave ${organization.name}…`}
            onClick={() => ask(organization)}
          >
            Leave…
          </button>
        </SectionRow>
      ))}
      {asked && <Leave organization={asked} onClose={() => ask(null)} />}
    </Section>
  );
}

function Leave({ organization: { name }, onClose }: { organization: Membership; onClose: () => void }) {
  const { user } = useHere();
  const client = useQueryClient();
  const leave = async () => {
    await call(
      "OrganizationService/RemoveMember",
      { organization: name, user_id: user.id },
      { organization: name },
    );
    await client.invalidateQueries({ queryKey: ["organizations"] });
  };
  return (
    <ConfirmDialog
      title={`Leave ${name}?`}
      confirm={`Leave ${name}`}
      cancel="Stay"
      onConfirm={leave}
      onClose={onClose}
    >
      <p>
        Your own tokens lose access to {name} immediately. What you created there stays: projects, and tokens
        of the organization and its projects. To come back, you need a new invitation. The last owner cannot
        leave.
      </p>
    </ConfirmDialog>
  );
}
