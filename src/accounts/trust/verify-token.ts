/** Verifies an OIDC token: RFC 7519, OpenID Connect Core 3.1.3.7, RFC 8725. */
import { decodeJwt, errors, jwtVerify, type JWTPayload } from "jose";
import { MAX_OIDC_TOKEN_LENGTH } from "../contract/limits.ts";
import { Refused } from "../contract/refused.ts";
import { IssuerError, type IssuerKeys } from "./issuer-keys.ts";
import { quote } from "./match-claims.ts";

/** How far the issuer's clock may differ from this one. */
const CLOCK_TOLERANCE_SECONDS = 60;
const COMPARE_CLOCKS = "compare the clocks of this server, or of its PostgreSQL, and of the provider.";
/** The latest date of JavaScript. */
const MAX_DATE_MS = 8.64e15;
/** Only with key pairs: with a shared secret, anyone could sign with the issuer's public key as the secret. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

/** The issuer that a token names; not verified yet. @throws Refused */
export function readIssuer(token: string): string {
  if (token.length > MAX_OIDC_TOKEN_LENGTH)
    throw new Refused("invalid_argument", `oidc_token is longer than ${MAX_OIDC_TOKEN_LENGTH} characters`, {
      field: "oidc_token",
    });
  let issuer: unknown;
  try {
    issuer = decodeJwt(token).iss;
  } catch (cause) {
    throw new Refused("unauthenticated", "OIDC token is not a signed JSON Web Token", { cause });
  }
  if (typeof issuer !== "string") throw new Refused("unauthenticated", "OIDC token names no issuer (`iss`)");
  return issuer;
}

export interface VerifyOptions {
  issuer: string;
  keys: Pick<IssuerKeys, "find">;
  /** Milliseconds since 1970. */
  now: number;
}

/** Its issuer has signed it, but it is not usable, whatever the project trusts. */
export class UnusableToken extends Refused {
  readonly claims: JWTPayload;
  /** The reason for the project's people, in one sentence with what to do. */
  readonly because: string;

  constructor(message: string, { claims, because }: { claims: JWTPayload; because: string }) {
    super("unauthenticated", message);
    this.claims = claims;
    this.because = because;
  }
}

/**
 * Checks signature, issuer and times; the caller checks the audience and other claims.
 * @throws UnusableToken where only the signature is right
 * @throws Refused
 */
export async function verifyToken(token: string, { issuer, keys, now }: VerifyOptions): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, (header, jws) => keys.find(issuer, header, jws), {
      issuer,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now),
      requiredClaims: ["exp", "aud"],
    });
    // `jose` checks `iat` only together with a maximal age.
    if (payload.iat !== undefined && payload.iat > now / 1000 + CLOCK_TOLERANCE_SECONDS)
      throw new UnusableToken("OIDC token is from the future (`iat`): compare the clocks", {
        claims: payload,
        because: `The token is from the future (iat): ${COMPARE_CLOCKS}`,
      });
    return payload;
  } catch (error) {
    throw error instanceof Refused ? error : refusalOf(error, issuer);
  }
}

function refusalOf(cause: unknown, issuer: string): unknown {
  const refuse = (message: string) => new Refused("unauthenticated", `OIDC token ${message}`, { cause });
  if (cause instanceof IssuerError)
    return new Refused("unavailable", `the keys of ${quote(issuer)} cannot be read: ${cause.message}`, {
      cause,
    });
  if (cause instanceof errors.JWTExpired)
    return new UnusableToken("OIDC token is expired", {
      claims: cause.payload,
      because: `The token ended${timeOf(cause.payload.exp)} before it was used: request it immediately before the exchange.`,
    });
  // An issuer may sign only for itself.
  if (cause instanceof errors.JWTClaimValidationFailed && cause.claim !== "iss") return unusableOf(cause);
  if (cause instanceof errors.JWTClaimValidationFailed) return refuse("has an invalid `iss`");
  if (cause instanceof errors.JWKSNoMatchingKey)
    return refuse("is signed with a key that its issuer does not publish");
  if (cause instanceof errors.JWKSMultipleMatchingKeys)
    return refuse("does not say which of its issuer's keys signed it (`kid`)");
  if (cause instanceof errors.JWSSignatureVerificationFailed) return refuse("has a wrong signature");
  if (cause instanceof errors.JOSEAlgNotAllowed)
    return refuse("is signed with an algorithm that is not accepted (`alg`)");
  return cause instanceof errors.JOSEError ? refuse("cannot be verified") : cause;
}

function unusableOf({ claim, reason, payload: claims }: errors.JWTClaimValidationFailed): UnusableToken {
  if (reason === "missing")
    return new UnusableToken(`OIDC token has no \`${claim}\``, {
      claims,
      because: `The token has no ${claim}, which its provider must set.`,
    });
  if (claim === "nbf" && reason === "check_failed")
    return new UnusableToken("OIDC token is not valid yet (`nbf`): compare the clocks", {
      claims,
      because: `The token is not valid yet (nbf): ${COMPARE_CLOCKS}`,
    });
  return new UnusableToken(`OIDC token has an invalid \`${claim}\``, {
    claims,
    because: `The token has an invalid ${claim}, which its provider must set.`,
  });
}

/** @param seconds since 1970, or any other value that the issuer has signed */
function timeOf(seconds: number | undefined): string {
  const ms = Math.round((seconds ?? Number.NaN) * 1_000);
  return Math.abs(ms) <= MAX_DATE_MS ? ` at ${new Date(ms).toISOString()},` : "";
}
