import type { AuthState, SignedInUser } from "../gate/answers.ts";
import { Avatar, Gate, Heading, Name } from "../gate/gate.tsx";
import { signOut } from "../gate/sign-out.ts";
import { YourPasskeys, YourSignIns } from "./own-lists.tsx";

interface Props {
  state: AuthState;
  user: SignedInUser;
}

/** `/app`: who is signed in, and where things are. */
export function HomePage({ state, user }: Props) {
  return (
    <Gate state={state} width="wide">
      <Heading title={user.name} lead={<span className="mono">{state.host}</span>}>
        <Name>{user.name}</Name>
      </Heading>
      <section className="panel" aria-labelledby="organizations">
        <h2 id="organizations">Organizations</h2>
        {user.organizations.length === 0 && <p className="fine">None yet. An owner can invite you.</p>}
        {user.organizations.length > 0 && (
          <ul className="members">
            {user.organizations.map(({ id, name, role }) => (
              <li key={id}>
                <span className="strong">{name}</span>
                <span className="fine">{role}</span>
                <span className="fine mono">{id}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section className="panel" aria-labelledby="places">
        <h2 id="places">Go on</h2>
        <ul className="places">
          <Place href="/docs" label="Documentation" text="From the first build to a fleet of runners" />
          <Place
            href="/docs/cli/installation"
            label="The CLI"
            text="millrace login asks here for your approval"
          />
          <Place href="/app/api" label="API reference" text="Every method, to be tried on this server" />
          {user.is_operator && (
            <Place href="/console" label="Console" text="What readers of the documentation do and miss" />
          )}
        </ul>
      </section>
      {state.methods.passkey && <YourPasskeys />}
      <YourSignIns />
      <div className="row">
        <span className="who">
          <Avatar name={user.name} />
          <Name>{user.name}</Name>
          {user.mail !== null && <Name>{user.mail}</Name>}
        </span>
        <button className="btn btn-line btn-sm" type="button" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </Gate>
  );
}

function Place({ href, label, text }: { href: string; label: string; text: string }) {
  return (
    <li>
      <a href={href}>
        <span className="strong">{label}</span>
        <span className="fine">{text}</span>
      </a>
    </li>
  );
}
