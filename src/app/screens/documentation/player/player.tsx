import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
  type ReactNode,
  type Ref,
} from "react";
import { Replayer } from "@rrweb/replay";
import "@rrweb/replay/dist/style.css";
import { formatDuration } from "../../../format.ts";
import { Icon } from "../../../ui/icon.tsx";
import type { RecordedEvent } from "./events.ts";

const SPEEDS = [1, 2, 4, 8];
const TICK_MS = 200;

export interface PlayerHandle {
  /** Shows the moment that many milliseconds after the first event; playing continues from there. */
  seek(at: number): void;
}

interface Props {
  ref: Ref<PlayerHandle>;
  events: RecordedEvent[];
  /** The player's initial position, in milliseconds after the first event. */
  startAt: number;
  /** Called periodically while it plays, and at each stop and jump. */
  onTime: (at: number, isPlaying: boolean) => void;
}

/**
 * Replays in an iframe whose sandbox allows no script; this page's Content-Security-Policy, which the iframe inherits,
 * allows no request to another origin. What a reader's page contained can therefore neither run nor call home.
 */
export function Player({ ref, events, startAt, onTime }: Props) {
  const [state, setState] = useState({ isPlaying: false, time: startAt, hasFailed: false });
  const [speed, setSpeed] = useState(1);
  const [isSkipping, setIsSkipping] = useState(true);
  const length = (events.at(-1)?.timestamp ?? 0) - (events[0]?.timestamp ?? 0);

  const { stage, replayer } = useReplayer(events, {
    startAt: Math.min(startAt, length),
    onFinish: () => move(length, false),
    onFailure: () => setState((former) => ({ ...former, hasFailed: true })),
  });

  const move = (time: number, isPlaying: boolean) => {
    setState((former) => ({ ...former, isPlaying, time }));
    onTime(time, isPlaying);
  };
  const seek = (time: number, isPlaying: boolean) => {
    if (isPlaying) replayer.current?.play(time);
    else showMoment(replayer.current, time);
    move(time, isPlaying);
  };
  // The slider's last step is rarely a whole one: it means the end.
  const step = length > 20_000 ? 1000 : 100;
  const slideTo = (at: number) => seek(at + step > length ? length : at, state.isPlaying);
  const toggle = () => seek(!state.isPlaying && state.time >= length ? 0 : state.time, !state.isPlaying);
  useImperativeHandle(ref, () => ({ seek: (at) => seek(Math.min(at, length), state.isPlaying) }));

  useEffect(() => {
    replayer.current?.setConfig({ speed, skipInactive: isSkipping });
  }, [replayer, speed, isSkipping]);

  useTicks(state.isPlaying, () => {
    const time = replayer.current?.getCurrentTime() ?? 0;
    move(Math.min(Math.max(time, 0), length), true);
  });

  return (
    <div className="player">
      <div className="stage" ref={stage} data-failed={state.hasFailed} />
      {state.hasFailed && (
        <p className="panel-body text-xs text-fail" role="alert">
          The player cannot show this recording: its data is damaged. The list of events is complete.
        </p>
      )}
      <PlayerBar
        time={state.time}
        length={length}
        step={step}
        isPlaying={state.isPlaying}
        onToggle={toggle}
        onSlide={slideTo}
      >
        <SpeedChoice speed={speed} onChoose={setSpeed} />
        <SkipChoice isSkipping={isSkipping} onChoose={setIsSkipping} />
      </PlayerBar>
    </div>
  );
}

/** Calls back periodically while it plays. */
function useTicks(isPlaying: boolean, tick: () => void): void {
  const onTick = useEffectEvent(tick);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => onTick(), TICK_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
}

interface ReplayerOptions {
  startAt: number;
  onFinish: () => void;
  onFailure: () => void;
}

/** A replayer in the stage, as long as the recording is shown. */
function useReplayer(events: RecordedEvent[], options: ReplayerOptions) {
  const stage = useRef<HTMLDivElement>(null);
  const replayer = useRef<Replayer>(undefined);
  const onFinish = useEffectEvent(options.onFinish);
  const onFailure = useEffectEvent(options.onFailure);
  const onOpen = useEffectEvent((player: Replayer) => showMoment(player, options.startAt));
  useEffect(() => {
    const root = stage.current;
    if (!root) return;
    const player = openReplayer(events, root);
    if (!player) return onFailure();
    replayer.current = player;
    const stopFitting = fitToStage(player, root);
    player.on("finish", () => onFinish());
    onOpen(player);
    return () => {
      stopFitting();
      player.destroy();
      root.replaceChildren();
      replayer.current = undefined;
    };
  }, [events]);
  return { stage, replayer };
}

interface BarProps {
  time: number;
  length: number;
  /** The slider's step, in milliseconds. */
  step: number;
  isPlaying: boolean;
  onToggle: () => void;
  onSlide: (at: number) => void;
  children: ReactNode;
}

function PlayerBar({ time, length, step, isPlaying, onToggle, onSlide, children }: BarProps) {
  return (
    <div className="player-bar">
      <button className="btn action" type="button" onClick={onToggle}>
        <Icon name={isPlaying ? "pause" : "play"} />
        {isPlaying ? "Pause" : "Play"}
      </button>
      <input
        type="range"
        min={0}
        max={length}
        step={step}
        value={time}
        aria-label="Position"
        aria-valuetext={`${formatDuration(time)} of ${formatDuration(length)}`}
        onChange={(event) => onSlide(event.target.valueAsNumber)}
      />
      <span className="player-time">
        {formatDuration(time)} / {formatDuration(length)}
      </span>
      {children}
    </div>
  );
}

function SpeedChoice({ speed, onChoose }: { speed: number; onChoose: (speed: number) => void }) {
  return (
    <label className="speed">
      <span className="vh">Speed</span>
      <select
        className="input small"
        value={speed}
        onChange={(event) => onChoose(Number(event.target.value))}
      >
        {SPEEDS.map((each) => (
          <option key={each} value={each}>
            {each}×
          </option>
        ))}
      </select>
    </label>
  );
}

interface SkipChoiceProps {
  isSkipping: boolean;
  onChoose: (isSkipping: boolean) => void;
}

function SkipChoice({ isSkipping, onChoose }: SkipChoiceProps) {
  return (
    <label className="skip-choice">
      <input type="checkbox" checked={isSkipping} onChange={(event) => onChoose(event.target.checked)} />
      Skip inactivity
    </label>
  );
}

/** Includes the events of that exact millisecond: the replayer stops before them. */
function showMoment(player: Replayer | undefined, at: number) {
  player?.pause(at + 1);
}

const silent = { log: () => {}, warn: () => {}, error: () => {} };

function openReplayer(events: RecordedEvent[], root: HTMLElement): Replayer | undefined {
  try {
    // rrweb's own event type is a union of every shape; these come from a browser and are checked as far as needed.
    const list = events as unknown as ConstructorParameters<typeof Replayer>[0];
    return new Replayer(list, {
      root,
      mouseTail: false,
      showWarning: false,
      triggerFocus: false,
      // A reader's damaged recording is not an error of this page.
      logger: { ...console, ...silent },
    });
  } catch {
    return undefined;
  }
}

/** The recorded window keeps its own size and is scaled into the stage's width. */
function fitToStage(player: Replayer, root: HTMLElement): () => void {
  let size = { width: 1280, height: 800 };
  const fit = () => {
    const scale = Math.min(root.clientWidth / size.width, (innerHeight * 0.68) / size.height, 1);
    player.wrapper.style.transform = `scale(${scale})`;
    player.wrapper.style.width = `${size.width}px`;
    root.style.height = `${Math.round(size.height * scale)}px`;
  };
  player.on("resize", (next) => {
    // The replayer's handlers are untyped; this event carries the recorded window's size.
    size = next as typeof size;
    fit();
  });
  const observer = new ResizeObserver(fit);
  observer.observe(root);
  return () => observer.disconnect();
}
