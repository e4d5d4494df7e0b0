/** Whether an OIDC token is what it says: RFC 7519, OpenID Connect Core 3.1.3.7, RFC 8725. */
import { decodeJwt, errors, jwtVerify, type JWTPayload } from "jose";
import { MAX_OIDC_TOKEN_LENGTH } from "../limits.ts";
import { Refused } from "../refused.ts";
import { FetchError } from "./fetch-json.ts";
import type { IssuerKeys } from "./issuer-keys.ts";
import { quote } from "./match-claims.ts";

/** How far the issuer's clock may be from this one. */
const CLOCK_TOLERANCE_SECONDS = 60;
/** Only with key pairs: with a shared secret, anybody could sign with the issuer's public key as the secret. */
const ALGORITHMS = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ");

/** The issuer that a token names. Nothing vouches for it yet. @throws Refused */
export function readIssuer(token: string): string {
  if (token.length > MAX_OIDC_TOKEN_LENGTH)
    throw new Refused("invalid_argument", `oidc_token is longer than ${MAX_OIDC_TOKEN_LENGTH} characters`, {
      field: "oidc_token",
    });
  let issuer: unknown;
  try {
    issuer = decodeJwt(token).iss;
  } catch (cause) {
    throw new Refused("unauthenticated", "OIDC token is no signed JSON Web Token", { cause });
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

/** Checks signature, issuer and times; the audience and other claims are the caller's. @throws Refused */
export async function verifyToken(token: string, { issuer, keys, now }: VerifyOptions): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, (header, jws) => keys.find(issuer, header, jws), {
      issuer,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(now),
      requiredClaims: ["exp", "aud"],
    });
    // `jose` looks at `iat` only together with a maximal age.
    if (payload.iat !== undefined && payload.iat > now / 1000 + CLOCK_TOLERANCE_SECONDS)
      throw new Refused("unauthenticated", "OIDC token is from the future (`iat`): compare the clocks");
    return payload;
  } catch (error) {
    throw error instanceof Refused ? error : refusalOf(error, issuer);
  }
}

function refusalOf(cause: unknown, issuer: string): unknown {
  const refuse = (message: string) => new Refused("unauthenticated", `OIDC token ${message}`, { cause });
  if (cause instanceof FetchError)
    return new Refused("unavailable", `the keys of ${quote(issuer)} cannot be read: ${cause.message}`, {
      cause,
    });
  if (cause instanceof errors.JWTExpired) return refuse("is expired");
  if (cause instanceof errors.JWTClaimValidationFailed)
    return refuse(
      cause.reason === "missing"
        ? `has no \`${cause.claim}\``
        : cause.claim === "nbf"
          ? "is not valid yet (`nbf`): compare the clocks"
          : `has an invalid \`${cause.claim}\``,
    );
  if (cause instanceof errors.JWKSNoMatchingKey)
    return refuse("is signed with a key that its issuer does not publish");
  if (cause instanceof errors.JWKSMultipleMatchingKeys)
    return refuse("does not say which of its issuer's keys signed it (`kid`)");
  if (cause instanceof errors.JWSSignatureVerificationFailed) return refuse("has a wrong signature");
  if (cause instanceof errors.JOSEAlgNotAllowed)
    return refuse("is signed in a way that is not accepted (`alg`)");
  return cause instanceof errors.JOSEError ? refuse("cannot be verified") : cause;
}
