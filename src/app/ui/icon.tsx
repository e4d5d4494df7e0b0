import activity from "lucide-static/icons/activity.svg?raw";
import bug from "lucide-static/icons/bug.svg?raw";
import chartLine from "lucide-static/icons/chart-line.svg?raw";
import check from "lucide-static/icons/check.svg?raw";
import chevronDown from "lucide-static/icons/chevron-down.svg?raw";
import chevronUp from "lucide-static/icons/chevron-up.svg?raw";
import circlePlay from "lucide-static/icons/circle-play.svg?raw";
import copy from "lucide-static/icons/copy.svg?raw";
import download from "lucide-static/icons/download.svg?raw";
import fileText from "lucide-static/icons/file-text.svg?raw";
import flag from "lucide-static/icons/flag.svg?raw";
import gauge from "lucide-static/icons/gauge.svg?raw";
import info from "lucide-static/icons/info.svg?raw";
import logOut from "lucide-static/icons/log-out.svg?raw";
import menu from "lucide-static/icons/menu.svg?raw";
import messageSquare from "lucide-static/icons/message-square-text.svg?raw";
import monitorX from "lucide-static/icons/monitor-x.svg?raw";
import moon from "lucide-static/icons/moon.svg?raw";
import mousePointer from "lucide-static/icons/mouse-pointer-click.svg?raw";
import pause from "lucide-static/icons/pause.svg?raw";
import play from "lucide-static/icons/play.svg?raw";
import rotate from "lucide-static/icons/rotate-cw.svg?raw";
import search from "lucide-static/icons/search.svg?raw";
import squareTerminal from "lucide-static/icons/square-terminal.svg?raw";
import sun from "lucide-static/icons/sun.svg?raw";
import table from "lucide-static/icons/table-2.svg?raw";
import triangleAlert from "lucide-static/icons/triangle-alert.svg?raw";
import x from "lucide-static/icons/x.svg?raw";
import { SvgIcon } from "./svg-icon.tsx";

const icons = {
  activity,
  bug,
  chartLine,
  check,
  chevronDown,
  chevronUp,
  circlePlay,
  copy,
  download,
  fileText,
  flag,
  gauge,
  info,
  logOut,
  menu,
  messageSquare,
  monitorX,
  moon,
  mousePointer,
  pause,
  play,
  rotate,
  search,
  squareTerminal,
  sun,
  table,
  triangleAlert,
  x,
};

export type IconName = keyof typeof icons;

interface Props {
  name: IconName;
  className?: string;
}

/** One of Lucide's icons. */
export function Icon({ name, className = "" }: Props) {
  return <SvgIcon svg={icons[name]} className={className} />;
}
