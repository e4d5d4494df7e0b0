import { cacheTools, runners } from "../content.ts";
import { Inline } from "../inline.tsx";
import type { ArtefactOf } from "../artefact-schema.ts";

export function Layers({ changes, steps }: ArtefactOf<"layers">) {
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

export function RunnerTable() {
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

export function ToolTable() {
  return (
    <FactTable
      label="Build tools and their addresses"
      head={["Tool", "Protocol", "Address"]}
      rows={cacheTools.map((tool) => [tool.name, tool.protocol, tool.address])}
      isStacked
    />
  );
}

interface FactTableProps {
  label: string;
  head: string[];
  rows: string[][];
  /** Words in cells may break anywhere, so that the table fits a phone. */
  isProse?: boolean;
  /** On a phone each row is a block, because its last cell is too long for a column. */
  isStacked?: boolean;
}

export function FactTable({ label, head, rows, isProse = false, isStacked = false }: FactTableProps) {
  const kind = isProse ? " is-prose" : isStacked ? " is-stacked" : "";
  // Without explicit roles, screen readers do not treat table elements shown as blocks as a table.
  const as = (role: string) => (isStacked ? { role } : {});
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must take the focus
    <section className={`table-wrap${kind}`} tabIndex={0} aria-label={label}>
      <table {...as("table")}>
        <thead {...as("rowgroup")}>
          <tr {...as("row")}>
            {head.map((cell) => (
              <th key={cell} scope="col" {...as("columnheader")}>
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...as("rowgroup")}>
          {rows.map((row) => (
            <tr key={row[0]} {...as("row")}>
              {row.map((cell, index) => (
                <td key={head[index]} {...as("cell")}>
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
