import { useHere } from "../../data/organization.ts";
import { Head, Page } from "../../page/page.tsx";
import { Avatar } from "../../ui/avatar.tsx";
import { Account } from "./account.tsx";
import { Appearance } from "./appearance.tsx";
import { Identities } from "./identities.tsx";
import { Organizations } from "./organizations.tsx";
import { Passkeys } from "./passkeys.tsx";
import { SignIns } from "./sign-ins.tsx";
import { TwoStepSection } from "./two-step/two-step.tsx";
import "../../styles/settings-screens.css";

/** `/app/me`: the person's own data, in every organization. */
export function MeScreen() {
  const { user } = useHere();
  return (
    <Page title="Your profile">
      <Head
        title={
          <span className="row gap12">
            <Avatar name={user.name} isLarge />
            <bdi>{user.name}</bdi>
          </span>
        }
        lead="Yours alone, the same in each organization."
      />
      <div className="profile">
        <div>
          <Account />
          <SignIns />
          <Organizations />
        </div>
        <div>
          <Passkeys />
          <TwoStepSection />
          <Identities />
          <Appearance />
        </div>
      </div>
    </Page>
  );
}
