/** Height of a platform's row, pixels; same as `.timeline-group` in `timeline.css`. */
export const GROUP_HEIGHT = 30;
