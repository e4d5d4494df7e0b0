import activity from "lucide-static/icons/activity.svg?raw";
import archive from "lucide-static/icons/archive.svg?raw";
import arrowDown from "lucide-static/icons/arrow-down.svg?raw";
import arrowToLine from "lucide-static/icons/arrow-down-to-line.svg?raw";
import arrowUp from "lucide-static/icons/arrow-up.svg?raw";
import bookOpen from "lucide-static/icons/book-open.svg?raw";
import bot from "lucide-static/icons/bot.svg?raw";
import braces from "lucide-static/icons/braces.svg?raw";
import bug from "lucide-static/icons/bug.svg?raw";
import calendar from "lucide-static/icons/calendar.svg?raw";
import chartColumn from "lucide-static/icons/chart-column.svg?raw";
import chartLine from "lucide-static/icons/chart-line.svg?raw";
import check from "lucide-static/icons/check.svg?raw";
import chevronDown from "lucide-static/icons/chevron-down.svg?raw";
import chevronLeft from "lucide-static/icons/chevron-left.svg?raw";
import chevronRight from "lucide-static/icons/chevron-right.svg?raw";
import chevronUp from "lucide-static/icons/chevron-up.svg?raw";
import chevronsUpDown from "lucide-static/icons/chevrons-up-down.svg?raw";
import circleAlert from "lucide-static/icons/circle-alert.svg?raw";
import circleCheck from "lucide-static/icons/circle-check.svg?raw";
import circlePlay from "lucide-static/icons/circle-play.svg?raw";
import circleHelp from "lucide-static/icons/circle-question-mark.svg?raw";
import circleX from "lucide-static/icons/circle-x.svg?raw";
import clock from "lucide-static/icons/clock.svg?raw";
import command from "lucide-static/icons/command.svg?raw";
import container from "lucide-static/icons/container.svg?raw";
import copy from "lucide-static/icons/copy.svg?raw";
import corner from "lucide-static/icons/corner-down-left.svg?raw";
import cpu from "lucide-static/icons/cpu.svg?raw";
import databaseZap from "lucide-static/icons/database-zap.svg?raw";
import download from "lucide-static/icons/download.svg?raw";
import ellipsis from "lucide-static/icons/ellipsis.svg?raw";
import externalLink from "lucide-static/icons/external-link.svg?raw";
import eye from "lucide-static/icons/eye.svg?raw";
import fileText from "lucide-static/icons/file-text.svg?raw";
import flag from "lucide-static/icons/flag.svg?raw";
import foldVertical from "lucide-static/icons/fold-vertical.svg?raw";
import folderGit from "lucide-static/icons/folder-git-2.svg?raw";
import gauge from "lucide-static/icons/gauge.svg?raw";
import gitBranch from "lucide-static/icons/git-branch.svg?raw";
import gitPullRequest from "lucide-static/icons/git-pull-request.svg?raw";
import info from "lucide-static/icons/info.svg?raw";
import keyRound from "lucide-static/icons/key-round.svg?raw";
import keyboard from "lucide-static/icons/keyboard.svg?raw";
import layers from "lucide-static/icons/layers.svg?raw";
import link from "lucide-static/icons/link.svg?raw";
import listTree from "lucide-static/icons/list-tree.svg?raw";
import lock from "lucide-static/icons/lock.svg?raw";
import logOut from "lucide-static/icons/log-out.svg?raw";
import mail from "lucide-static/icons/mail.svg?raw";
import menu from "lucide-static/icons/menu.svg?raw";
import messageSquare from "lucide-static/icons/message-square-text.svg?raw";
import monitor from "lucide-static/icons/monitor.svg?raw";
import monitorX from "lucide-static/icons/monitor-x.svg?raw";
import moon from "lucide-static/icons/moon.svg?raw";
import mousePointer from "lucide-static/icons/mouse-pointer-click.svg?raw";
import pause from "lucide-static/icons/pause.svg?raw";
import pencil from "lucide-static/icons/pencil.svg?raw";
import play from "lucide-static/icons/play.svg?raw";
import plus from "lucide-static/icons/plus.svg?raw";
import rotate from "lucide-static/icons/rotate-cw.svg?raw";
import search from "lucide-static/icons/search.svg?raw";
import send from "lucide-static/icons/send.svg?raw";
import settings from "lucide-static/icons/settings.svg?raw";
import shieldAlert from "lucide-static/icons/shield-alert.svg?raw";
import shield from "lucide-static/icons/shield-check.svg?raw";
import smartphone from "lucide-static/icons/smartphone.svg?raw";
import squareTerminal from "lucide-static/icons/square-terminal.svg?raw";
import sun from "lucide-static/icons/sun.svg?raw";
import table from "lucide-static/icons/table-2.svg?raw";
import tag from "lucide-static/icons/tag.svg?raw";
import trash from "lucide-static/icons/trash-2.svg?raw";
import triangleAlert from "lucide-static/icons/triangle-alert.svg?raw";
import undo from "lucide-static/icons/undo-2.svg?raw";
import unfoldVertical from "lucide-static/icons/unfold-vertical.svg?raw";
import plug from "lucide-static/icons/unplug.svg?raw";
import user from "lucide-static/icons/user.svg?raw";
import userPlus from "lucide-static/icons/user-plus.svg?raw";
import users from "lucide-static/icons/users.svg?raw";
import workflow from "lucide-static/icons/workflow.svg?raw";
import wrapText from "lucide-static/icons/wrap-text.svg?raw";
import x from "lucide-static/icons/x.svg?raw";
import { SvgIcon } from "./svg-icon.tsx";

const icons = {
  activity,
  archive,
  arrowDown,
  arrowToLine,
  arrowUp,
  bookOpen,
  bot,
  braces,
  bug,
  calendar,
  chartColumn,
  chartLine,
  check,
  chevronDown,
  chevronLeft,
  chevronRight,
  chevronsUpDown,
  chevronUp,
  circleAlert,
  circleCheck,
  circleHelp,
  circlePlay,
  circleX,
  clock,
  command,
  container,
  copy,
  corner,
  cpu,
  databaseZap,
  download,
  ellipsis,
  externalLink,
  eye,
  fileText,
  flag,
  folderGit,
  foldVertical,
  gauge,
  gitBranch,
  gitPullRequest,
  info,
  keyboard,
  keyRound,
  layers,
  link,
  listTree,
  lock,
  logOut,
  mail,
  menu,
  messageSquare,
  monitor,
  monitorX,
  moon,
  mousePointer,
  pause,
  pencil,
  play,
  plug,
  plus,
  rotate,
  search,
  send,
  settings,
  shield,
  shieldAlert,
  smartphone,
  squareTerminal,
  sun,
  table,
  tag,
  trash,
  triangleAlert,
  undo,
  unfoldVertical,
  user,
  userPlus,
  users,
  workflow,
  wrapText,
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
