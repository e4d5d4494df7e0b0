import { type ReactNode, useState } from "react";
import { Ago } from "../ui/ago.tsx";
import { Avatar, Person } from "../ui/avatar.tsx";
import { Checklist, type ChecklistStep } from "../ui/checklist.tsx";
import { type ClaimRow, ClaimsForm } from "../ui/claims-form.tsx";
import { CodeBlock, CodeLine } from "../ui/code-line.tsx";
import { CopyIconButton } from "../ui/copy-icon-button.tsx";
import { type State, Status } from "../ui/status.tsx";
import { TokenOnce } from "../ui/token-once.tsx";

const STATES: readonly State[] = ["queued", "running", "succeeded", "failed", "canceled", "waiting"];
const NAMES = ["Ada Okafor", "Tomás Rey", "محمد عبد الله", "x".repeat(200), "👩‍💻", "<b>bold</b>"];
const LONG_COMMAND = `millrace build --platform linux/amd64,linux/arm64 --build-arg "VERSION=${"9".repeat(120)}" .`;
const NOW = Date.now();
const MINUTE_MS = 60_000;
const ago = (minutes: number) => new Date(NOW - minutes * MINUTE_MS).toISOString();

export function PartsPage() {
  const [done, setDone] = useState(1);
  return (
    <>
      <h1>Parts</h1>
      <Part title="States">
        {STATES.map((state) => (
          <Status key={state} state={state} />
        ))}
        <Status state="running" isPill />
        <Status state="failed" word="Differs" isPill />
      </Part>
      <Part title="People">
        {NAMES.map((name) => (
          <Person key={name} name={name} />
        ))}
        <Avatar name="Mei Tanaka" isLarge />
      </Part>
      <Part title="Times">
        {[0, 11, 180, 60 * 24 * 8, 60 * 24 * 61, -60 * 24 * 90].map((minutes) => (
          <Ago key={minutes} at={ago(minutes)} />
        ))}
        <Ago at="" never="not yet" />
      </Part>
      <div className="grid2">
        <div className="section">
          <h2>Commands</h2>
          <CodeLine command="./gradlew build --build-cache && ./gradlew clean" />
          <CodeLine command={LONG_COMMAND} />
          <CodeBlock name="turbo.json" text={'{\n  "remoteCache": { "enabled": true }\n}'} />
          <p className="row mono">
            tok_5r8wq1nzc <CopyIconButton text="tok_5r8wq1nzc" label="Copy the id" />
          </p>
        </div>
        <div className="section">
          <Checklist steps={stepsDone(done)} />
          <button className="btn" type="button" onClick={() => setDone((done + 1) % 4)}>
            Do the next step
          </button>
        </div>
      </div>
      <Claims />
      <Secret />
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="section">
      <h2>{title}</h2>
      <div className="row wrap gap16">{children}</div>
    </section>
  );
}

function stepsDone(count: number): ChecklistStep[] {
  const steps: ChecklistStep[] = [
    {
      key: "cli",
      title: "Install the CLI and log in",
      text: "On your computer.",
      waitsFor: "the first request of the CLI",
    },
    {
      key: "build",
      title: "Build an image",
      text: "In a directory with a Dockerfile.",
      body: <CodeLine command="millrace build ." />,
      waitsFor: "the first build of web",
    },
    {
      key: "again",
      title: "Build it again, from the cache",
      text: "Change nothing.",
      waitsFor: "a second build",
    },
  ];
  return steps.map((step, index) =>
    index < count ? { ...step, done: { at: ago(2), found: "ada on ada-mbp, millrace 1.4.0" } } : step,
  );
}

const CLAIMS: ClaimRow[] = [
  { key: 1, name: "repository", value: "acme/web" },
  { key: 2, name: "ref", value: "" },
];

function Claims() {
  const [claims, setClaims] = useState<ClaimRow[]>(CLAIMS);
  const errors = new Map(
    claims.flatMap(({ key, value }) => (value ? [] : [[key, "A claim needs a value."] as const])),
  );
  return (
    <ClaimsForm claims={claims} onChange={setClaims} errors={errors} known={["repository", "ref", "sub"]} />
  );
}

function Secret() {
  const [secret, setSecret] = useState("");
  if (secret === "")
    return (
      <p>
        <button
          className="btn action"
          type="button"
          onClick={() => setSecret("mr_prj_7Qx2mR4vKz9TnB1cYw8HfJ3sLd6PgA5e_c4vd")}
        >
          New token
        </button>
      </p>
    );
  return (
    <TokenOnce name="staging-deploy" secret={secret} onDone={() => setSecret("")}>
      <span>May build, push and pull web.</span>
      <span>Expires 18 Feb 2027</span>
      <span className="mono">tok_8k2vnq4hx1</span>
    </TokenOnce>
  );
}
