/** The artefact of a section: one component for each kind of `artefact-schema.ts`. */
import { Drawn } from "../drawn.tsx";
import type { Artefact } from "../artefact-schema.ts";
import { AppPicture } from "./app-picture.tsx";
import { Jobs } from "./bars.tsx";
import { CacheDays } from "./cache-days.tsx";
import { CloudDiagram } from "./cloud.tsx";
import { ImageDetail } from "./image-detail.tsx";
import { Machines } from "./machines.tsx";
import { Steps, Transcript } from "./sequences.tsx";
import { Layers, RunnerTable, ToolTable } from "./tables.tsx";
import { Terminal } from "./terminal.tsx";
import { Session } from "./session.tsx";
import { Timeline } from "./timeline.tsx";

export function ArtefactView({ artefact }: { artefact: Artefact }) {
  switch (artefact.kind) {
    case "group":
      return artefact.items.map((item, index) => <ArtefactView key={index} artefact={item} />);
    case "app":
      return <AppPicture {...artefact} />;
    case "code":
      return <Drawn artefact={artefact} />;
    case "timeline":
      return <Timeline {...artefact} />;
    case "machines":
      return <Machines {...artefact} />;
    case "image":
      return <ImageDetail {...artefact} />;
    case "cacheDays":
      return <CacheDays {...artefact} />;
    case "session":
      return <Session {...artefact} />;
    case "cloud":
      return <CloudDiagram {...artefact} />;
    case "terminal":
      return <Terminal {...artefact} />;
    case "jobs":
      return <Jobs {...artefact} />;
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
