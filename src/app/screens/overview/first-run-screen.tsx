import { type ReactNode, useMemo } from "react";
import { Link } from "react-router";
import type { Capability } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { Head, Page, type PageAction } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { Checklist } from "../../ui/checklist.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { type FirstRun, stepsFor } from "./first-run.ts";
import { SpoiledProjects } from "./spoiled-projects.tsx";
import { stepOf } from "./first-run-steps.tsx";
import { LatestEvents } from "./latest-events.tsx";

interface Props {
  firstRun: FirstRun;
  /** Why nothing can build here. */
  lack: Capability | undefined;
  onHide: () => void;
}

const COUNTS: readonly string[] = ["No", "One", "Two", "Three", "Four", "Five", "Six"];

export function FirstRunScreen({ firstRun, lack, onHide }: Props) {
  const organization = useOrganization();
  const keys = stepsFor(organization);
  const isDone = keys.every((key) => firstRun.steps[key] !== null);
  const actions = useMemo(
    (): PageAction[] => [{ label: "Hide the checklist", icon: "eye", run: onHide }],
    [onHide],
  );
  const steps = keys.map((key) => stepOf(key, { firstRun, lack, organization: organization.name }));
  const count = COUNTS[keys.length] ?? keys.length;
  return (
    <Page title="Overview" actions={actions}>
      <Head
        title={`Welcome to ${organization.name}`}
        lead={
          isDone
            ? `All ${String(count).toLowerCase()} are done. This list goes away when you leave.`
            : `${count} things, about ten minutes. Each is ticked off when the server sees it happen.`
        }
        actions={
          <button className={isDone ? "btn action" : "btn bare"} type="button" onClick={onHide}>
            {isDone ? "Show the overview" : "Hide this list"}
          </button>
        }
      />
      <SpoiledProjects />
      <div className="grid-side first-run">
        <Checklist steps={steps} />
        <div className="section">
          <LatestEvents events={firstRun.heard} />
          <Later organization={organization.name} isOwner={organization.isOwner} />
        </div>
      </div>
    </Page>
  );
}

function Later({ organization, isOwner }: { organization: string; isOwner: boolean }) {
  return (
    <section className="section">
      <h2>Then, when you like</h2>
      <ul className="panel text-xs lines">
        <LaterLine icon="keyRound" text="Sign in with a passkey" label="Add a passkey" to="/app/me" />
        <LaterLine
          icon="databaseZap"
          text="Give Turborepo, Go or Bazel a cache"
          label="Choose a tool"
          to={addressOf(organization, "cache")}
        />
        <LaterLine
          icon="archive"
          text="Push an image to the registry"
          label="Show how"
          to={addressOf(organization, "images?do=push")}
        />
        <LaterLine icon="braces" text="Call the API from a program" label="Read how" to="/app/api" />
        <LaterLine
          icon="folderGit"
          text="Give each repository a project"
          label="Projects"
          to={addressOf(organization, "projects")}
        />
        {isOwner && (
          <LaterLine
            icon="fileText"
            text="See who changed what"
            label="Audit log"
            to={addressOf(organization, "settings/audit")}
          />
        )}
      </ul>
    </section>
  );
}

interface LineProps {
  icon: IconName;
  text: ReactNode;
  label: string;
  to: string;
}

function LaterLine({ icon, text, label, to }: LineProps) {
  return (
    <li>
      <span className="subtle row">
        <Icon name={icon} />
      </span>
      <span className="grow">{text}</span>
      <Link className="btn low" to={to}>
        {label}
      </Link>
    </li>
  );
}
