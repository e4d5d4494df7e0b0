/** What a section shows: the real thing, as data. One component for each kind of `schema.ts`. */
import { Drawn } from "../drawn.tsx";
import type { Artefact } from "../schema.ts";
import { CacheReport, Jobs } from "./bars.tsx";
import { Steps, Transcript } from "./sequences.tsx";
import { Images, Layers, RunnerTable, ToolTable } from "./tables.tsx";
import { Terminal } from "./terminal.tsx";

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
