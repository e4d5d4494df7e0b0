/** What a section shows: the real thing, as data. One component for each kind of `schema.ts`. */
import { cacheTools, runners } from "./content.ts";
import { Drawn } from "./drawn.tsx";
import { Inline } from "./inline.tsx";
import { BrandMark } from "./marks.tsx";
import type { Artefact, SingleArtefact } from "./schema.ts";
import { Icon } from "../../ui/icon.tsx";

type Of<Kind extends SingleArtefact["kind"]> = Extract<SingleArtefact, { kind: Kind }>;

export function ArtefactView({ artefact }: { artefact: Artefact }) {
  switch (artefact.kind) {
    case "group":
      return artefact.items.map((item, index) => <ArtefactView key={index} artefact={item} />);
    case "code":
    case "diagram":
      return <Drawn artefact={artefact} />;
    case "terminal":
      return <Terminal {...artefact} />;
    case "images":
      return <Images {...artefact} />;
    case "jobs":
      return <Jobs {...artefact} />;
    case "cacheReport":
      return <CacheReport {...artefact} />;
    case "transcript":
      return <Transcript {...artefact} />;
    case "layers":
      return <Layers {...artefact} />;
    case "steps":
      return <Steps {...artefact} />;
    case "runnerTable":
      return <RunnerTable />;
    case "toolTable":
      return <ToolTable />;
  }
}

/** Blue is what was there, brass is work, green is the result: the words say it too. */
function lineClass(line: string): string {
  if (line.startsWith("$ ")) return "tc";
  if (line.endsWith("CACHED")) return "tk";
  if (/^#\d+ (exporting|pushing|DONE)/.test(line)) return "tw";
  if (/succeeded$|^\S+:\S+$/.test(line)) return "ts";
  return "td";
}

function Terminal({ title, label, text }: Of<"terminal">) {
  return (
    <figure className="term">
      <figcaption className="term-bar">{title}</figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must take the focus */}
      <section tabIndex={0} aria-label={label}>
        <pre>
          <code>
            {text
              .trimEnd()
              .split("\n")
              .map((line, index) => (
                <span key={index} className={lineClass(line)}>
                  {`${line}\n`}
                </span>
              ))}
          </code>
        </pre>
      </section>
    </figure>
  );
}

function Images({ project, rows, note }: Of<"images">) {
  return (
    <>
      <table className="reg">
        <caption className="vh">Tags of {project}</caption>
        <thead>
          <tr>
            <th scope="col">{project}</th>
            <th scope="col">Digest</th>
            <th scope="col" className="reg-plat">
              Platforms
            </th>
            <th scope="col">Kept</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.tag}>
              <td>{row.tag}</td>
              <td>{row.digest.replace("sha256:", "")}</td>
              <td className="reg-plat">{row.platforms}</td>
              <td>{row.expires === "never" ? "for good" : row.expires}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Note text={note} />
    </>
  );
}

function Note({ text }: { text: string }) {
  return (
    <p className="fine">
      <Inline text={text} />
    </p>
  );
}

function Jobs({ jobs, label, note }: Of<"jobs">) {
  return (
    <>
      <ul className="jobs" aria-label={label}>
        {jobs.map((job) => (
          <li key={job.name}>
            <span>{job.name}</span>
            <span className="bar-ch">
              <i
                className={job.isWork ? "is-work" : undefined}
                style={{ left: `${job.from}%`, width: `${job.to - job.from}%` }}
              />
            </span>
          </li>
        ))}
      </ul>
      <Note text={note} />
    </>
  );
}

function CacheReport({ rows, note }: Of<"cacheReport">) {
  return (
    <>
      <ul className="tools">
        {rows.map(({ tool, brand, hits, misses }) => (
          <li key={tool}>
            <BrandMark brand={brand} />
            <span>{tool}</span>
            <span className="bar-ch">
              <i style={{ left: 0, width: `${(hits / (hits + misses)) * 100}%` }} />
            </span>
            <span className="tool-v">
              {hits} <span className="vh">hits</span> / {misses} <span className="vh">misses</span>
            </span>
          </li>
        ))}
      </ul>
      <Note text={note} />
    </>
  );
}

function Transcript({ prompt, steps, note }: Of<"transcript">) {
  return (
    <>
      <ol className="agent">
        <li className="a-user">{prompt}</li>
        {steps.map((step) => (
          <li key={step.text} className={step.isOk ? "a-tool is-ok" : "a-tool"}>
            <Icon name={step.icon} />
            <code>{step.text}</code>
            <span>{step.result}</span>
          </li>
        ))}
      </ol>
      <Note text={note} />
    </>
  );
}

function Layers({ changes, steps }: Of<"layers">) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must take the focus
    <section className="table-wrap layers" tabIndex={0} aria-label="Which steps run again">
      <table>
        <thead>
          <tr>
            <th scope="col">Dockerfile</th>
            {changes.map((change) => (
              <th key={change} scope="col">
                {change}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.line}>
              <th scope="row">
                <code>{step.line}</code>
              </th>
              {changes.map((change, index) => (
                <td key={change}>
                  <span className={step.runs.includes(index) ? "layer is-work" : "layer"}>
                    {step.runs.includes(index) ? "runs" : "CACHED"}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Steps({ steps }: Of<"steps">) {
  return (
    <ol className="track">
      {steps.map((step) => (
        <li key={step.term}>
          <strong>{step.term}</strong>
          <span>{step.text}</span>
        </li>
      ))}
    </ol>
  );
}

function RunnerTable() {
  return (
    <FactTable
      label="Runner labels"
      head={["Label", "CPUs", "Memory", "Architecture"]}
      rows={runners.map((runner) => [
        `\`${runner.label}\``,
        String(runner.cpus),
        runner.memory,
        runner.architecture,
      ])}
    />
  );
}

function ToolTable() {
  return (
    <FactTable
      label="Build tools and their addresses"
      head={["Tool", "Protocol", "Address"]}
      rows={cacheTools.map((tool) => [tool.name, tool.protocol, tool.address])}
    />
  );
}

export function FactTable({ label, head, rows }: { label: string; head: string[]; rows: string[][] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must take the focus
    <section className="table-wrap" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row[0]}>
              {row.map((cell, index) => (
                <td key={head[index]}>
                  <Inline text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
