import { useQuery } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import type { Machine, MachineBuilder } from "#api/gen/json-types.ts";
import { useOrganization } from "../../data/organization.ts";
import { projectsQuery } from "../../data/queries.ts";
import { cutText, formatBytes, plural } from "../../format.ts";
import { Ago } from "../../ui/ago.tsx";

/** More cells would be narrower than a finger's width on a phone. */
const MOST_CELLS = 64;

/** The installation's live servers. Their CPUs share one scale. */
export function Machines({ machines }: { machines: readonly Machine[] }) {
  const most = Math.max(1, ...machines.map(({ cpus }) => cpus));
  const all = sum(machines.map(({ cpus }) => cpus));
  const used = sum(machines.map(usedOf));
  return (
    <section className="section" aria-label="Machines">
      <div className="section-header">
        <h2>Machines</h2>
        <span className="text-xs subtle">
          {plural(machines.length, "machine")}
          {all > 0 && `, ${used} of ${plural(all, "CPU")} at work`}
        </span>
        <span className="end legend" aria-hidden="true">
          <span>
            <i className="key work" />
            At work
          </span>
          <span>
            <i className="key free" />
            Free CPU
          </span>
        </span>
      </div>
      <div className="panel machines">
        {machines.map((machine) => (
          <MachineLine key={machine.name} machine={machine} most={most} />
        ))}
      </div>
    </section>
  );
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Builders may together have more CPUs than the machine: then the machine is fully used. */
const usedOf = ({ builders, cpus }: Machine) =>
  Math.min(cpus, sum(builders.filter(({ is_warm }) => !is_warm).map((each) => each.cpus)));

function MachineLine({ machine, most }: { machine: Machine; most: number }) {
  const { name, is_here, cpus, memory_bytes, free_bytes, platforms, heard_at } = machine;
  const facts = [
    platforms[0],
    cpus > 0 && plural(cpus, "CPU"),
    cpus > 0 && formatBytes(Number(memory_bytes)),
    cpus > 0 && `disk ${formatBytes(Number(free_bytes))} free`,
  ].filter(Boolean);
  return (
    <div className="machine">
      <div>
        <span className="row wrap">
          <b className="mono strong clip">{cutText(name, 60)}</b>
          {is_here && <span className="tag">this server</span>}
        </span>
        <small className="text-xs subtle">
          {facts.join(", ") || "It runs a different release and reports nothing about itself."}
          {!is_here && (
            <>
              , last heard from <Ago at={heard_at} />
            </>
          )}
        </small>
      </div>
      <Processors machine={machine} most={most} />
      <span className="number muted">
        {cpus > 0 && `${usedOf(machine)} of ${cpus}`}
        {cpus > 0 && <span className="vh"> CPUs at work</span>}
      </span>
    </div>
  );
}

function Processors({ machine, most }: { machine: Machine; most: number }) {
  const { name } = useOrganization();
  const { data: projects } = useQuery(projectsQuery(name));
  const { cpus, builders } = machine;
  if (cpus === 0) return <span />;
  const cells = Math.min(cpus, MOST_CELLS);
  const shown = fit(builders, cells);
  const free = cells - sum(shown.map(({ cells: each }) => each));
  const style = { "--n": cells, width: `${(cpus / most) * 100}%` } as CSSProperties;
  const nameOf = ({ project_id, is_warm }: MachineBuilder) => {
    const project = projects?.find(({ id }) => id === project_id)?.name ?? "another project";
    return is_warm ? `${project}, warm` : project;
  };
  return (
    <div className="cpus" style={style} aria-hidden="true">
      {shown.map(({ builder, cells: each }, at) => (
        <span key={at} className={builder.is_warm ? "warm" : "busy"} style={{ "--s": each } as CSSProperties}>
          {nameOf(builder)}
        </span>
      ))}
      {Array.from({ length: free }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  );
}

/** Working builders first; those without room are only in the figure next to the cells. */
function fit(builders: readonly MachineBuilder[], cells: number) {
  let left = cells;
  return builders
    .toSorted((one, other) => Number(one.is_warm) - Number(other.is_warm))
    .flatMap((builder) => {
      const own = Math.min(left, Math.max(1, builder.cpus));
      left -= own;
      return own > 0 ? [{ builder, cells: own }] : [];
    });
}
