import { useMemo, useSyncExternalStore } from "react";
import { useAddress } from "../data/address.ts";
import { LogView } from "../ui/log/log-view.tsx";
import { newBuild } from "../ui/timeline/build-model.ts";
import { BuildStore } from "../ui/timeline/build-store.ts";
import { hostile } from "./hostile-build.ts";
import { readTo } from "./player.ts";
import { failed } from "./recordings.ts";

const START = 1_795_271_497_000;
const MAX_LINES = 1_000_000;

/** `?lines=100000`: the number of lines of one step. `?live=1`: a button writes more. */
export function LogPage() {
  const { params } = useAddress();
  const lines = Math.min(Number(params.get("lines") ?? 0), MAX_LINES);
  const kind = params.get("log") ?? "failed";
  const isLive = params.get("live") === "1";
  const store = useMemo(() => open(kind, lines, isLive), [kind, lines, isLive]);
  return (
    <>
      <h1>Log</h1>
      {isLive && <Writer store={store} />}
      <ShownLog store={store} isLive={isLive} />
    </>
  );
}

function ShownLog({ store, isLive }: { store: BuildStore; isLive: boolean }) {
  const { build, log, version } = useSyncExternalStore(store.watch, store.read);
  return (
    <div className="dev-log">
      <LogView
        log={log}
        version={version}
        steps={build.steps}
        isLive={isLive}
        label="build 2/2, linux/amd64"
        fileName="bld_x8d3rj5w1t.log"
        stoppedAt={START + 60_000}
      />
    </div>
  );
}

function Writer({ store }: { store: BuildStore }) {
  const write = (count: number) => {
    const from = store.read().log.count;
    const text = Array.from({ length: count }, (_, index) => `written ${from + index + 1}\n`).join("");
    store.apply({ logs: [{ vertex: "long", text, timestamp: START + 2000 }] });
  };
  const fail = () =>
    store.apply({
      vertexes: [
        { digest: "long", name: LONG, started: START, completed: START + 1, error: "no space left" },
      ],
    });
  return (
    <div className="row gap12">
      <button className="btn" type="button" onClick={() => write(38)}>
        Write 38 lines
      </button>
      <button className="btn" type="button" onClick={fail}>
        Fail
      </button>
    </div>
  );
}

const LONG = "[build 2/2] RUN make everything";

function open(kind: string, lines: number, isLive: boolean): BuildStore {
  if (lines === 0 && !isLive)
    return readTo(kind === "hostile" ? hostile : failed, Number.POSITIVE_INFINITY, START);
  const store = new BuildStore(newBuild(START));
  store.apply({
    vertexes: [
      { digest: "first", name: "[build 1/2] COPY . .", started: START, completed: START + 500 },
      { digest: "long", name: LONG, started: START + 500 },
      { digest: "last", name: "[runtime 1/1] COPY --from=build /out /out", started: START + 600 },
    ],
    logs: [
      { vertex: "first", text: "transferring 1,204 files\n", timestamp: START },
      {
        vertex: "long",
        text: Array.from({ length: Math.max(lines, 200) }, (_, index) => lineOf(index)).join(""),
        timestamp: START + 1000,
      },
      { vertex: "last", text: "copied\n", timestamp: START + 1500 },
    ],
  });
  store.flush();
  return store;
}

const lineOf = (index: number) =>
  `\u001B[2m[${index}/99999]\u001B[0m \u001B[${31 + (index % 6)}mcompiling\u001B[0m src/module-${index}.c ${"with flags ".repeat(index % 9)}\n`;
