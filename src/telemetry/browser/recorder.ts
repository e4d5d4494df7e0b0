/** rrweb and its driver, as the SDK would load them from `/static/`; importing it is enough. */
import "posthog-js/dist/posthog-recorder";
