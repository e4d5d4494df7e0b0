import { Link } from "react-router";
import type { Build } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { Head } from "../../page/page.tsx";
import { addressOf } from "../../page/places.ts";
import { CopyIconButton } from "../../ui/copy-icon-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Status } from "../../ui/status.tsx";
import { BuildFacts } from "./build-facts.tsx";
import { isOver, stateOf, titleOf } from "./build-words.ts";
import { useNeighbours } from "./use-build-actions.ts";

interface Props {
  build: Build;
  /** "again", "cancel". */
  onAsk: (question: string) => void;
}

export function BuildHead({ build, onAsk }: Props) {
  return (
    <Head
      title={<bdi>{titleOf(build)}</bdi>}
      beside={<Status state={stateOf(build)} isPill />}
      lead={<BuildFacts build={build} />}
      actions={
        <>
          <Neighbours build={build} />
          <CopyIconButton text={location.href} label="Copy the link to this build" />
          <button className="btn" type="button" aria-keyshortcuts="R" onClick={() => onAsk("again")}>
            <Icon name="rotate" />
            Build again
          </button>
          {!isOver(build) && (
            <button className="btn danger" type="button" onClick={() => onAsk("cancel")}>
              <Icon name="circleX" />
              Cancel build
            </button>
          )}
        </>
      }
    />
  );
}

function Neighbours({ build }: { build: Build }) {
  const { previous, next } = useNeighbours(build);
  const { name } = useOrganization();
  const where = build.branch ? `of ${build.branch}` : `of ${build.project}`;
  const link = (other: Build | undefined, way: "Previous" | "Next") => {
    const label = `${way} build ${where}`;
    if (!other) return null;
    return (
      <Link
        className="icon-button"
        to={addressOf(name, `builds/${other.id}`)}
        aria-label={label}
        title={label}
        aria-keyshortcuts={way === "Next" ? "]" : "["}
      >
        <Icon name={way === "Next" ? "chevronRight" : "chevronLeft"} />
      </Link>
    );
  };
  return (
    <>
      {link(previous, "Previous")}
      {link(next, "Next")}
    </>
  );
}
