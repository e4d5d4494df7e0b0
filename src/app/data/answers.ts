/** The server's answers to the pages in front of the application (src/accounts/README.md). Times are RFC 3339. */

export interface Membership {
  id: string;
  name: string;
  role: "owner" | "member";
}

export interface SignedInUser {
  id: string;
  name: string;
  mail: string | null;
  organizations: Membership[];
  /** An owner of the server's first organization. */
  is_operator: boolean;
}

export interface AuthState {
  version: string;
  host: string;
  /** `SITE_ORIGIN`: where sign-ins work. Absent from older servers. */
  origin?: string;
  methods: {
    passkey: boolean;
    /** The provider's name: "Google". */
    oidc: string | null;
    github: boolean;
    mail: boolean;
  };
  user: SignedInUser | null;
  /** Position of the event stream before this answer. Null: the person may not read one, or it is unknown. */
  event_cursor: string | null;
  /** For owners, while the server's disk has too little room. */
  disk?: DiskState;
}

export interface DiskState {
  /** `low`: uploads are refused; `full`: everything new is refused. */
  level: "low" | "full";
  /** For operators only. */
  free_bytes?: number;
  total_bytes?: number;
}

export interface StartLink {
  /** `first`: the server has no owner yet; `ready`: the link signs `name` in. */
  state: "first" | "ready" | "used" | "expired" | "unknown";
  name?: string;
  organization?: string;
  used_at?: string;
  used_from?: string;
}

export interface Invitation {
  organization: string;
  role: "owner" | "member";
  invited_by: string;
  mail: string | null;
  expires_at: string;
}

export interface SentMail {
  sent_at: string;
  expires_at: string;
  resend_after_seconds: number;
  /** The mail server's host. */
  sent_by: string;
}

export interface DeviceLogin {
  user_code: string;
  client_name: string;
  machine: string;
  system: string;
  address: string;
  your_address: string;
  created_at: string;
  expires_at: string;
}

/** `GET /auth/two-step`: times in milliseconds since 1970. */
export interface TwoStep {
  isOn: boolean;
  /** Null: no app is set up. */
  totpSince: number | null;
  recoveryCodesLeft: number;
  /** Empty: there is no way to confirm the person's identity before a dangerous act. */
  confirmWays: string[];
  /** Null: not currently confirmed. */
  confirmedUntil: number | null;
}

/** Shown once. */
export interface RecoveryCodes {
  recoveryCodes: string[];
}

/** The next page's address. */
export interface Next {
  next: string;
}
