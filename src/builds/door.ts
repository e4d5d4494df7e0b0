/** The way in for clients, as the room sees it. */
export interface BuildDoor {
  /** As clients reach it: `tcp://millrace.example.com:8372`. @throws Error with what to do when it is not open */
  address: () => string;
  serverName: string;
  /** As the other servers of the installation reach it: `10.0.1.11:8372`; "": they do not. */
  inside: string;
  cut: (buildId: string, reason: string) => void;
  close: () => Promise<void>;
}
