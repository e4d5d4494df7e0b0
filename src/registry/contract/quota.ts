/** The bytes that an organization has and may have. */

export interface Quota {
  /** Per organization. */
  readonly bytes: number;
  /** Blobs, manifests and received bytes of uploads. At most a minute old; some seconds when there is little room left. */
  used(organizationId: string): Promise<number>;
  /** @returns how many bytes still fit. @throws RegistryError DENIED when there is no room for `wanted` bytes */
  room(organizationId: string, wanted?: number): Promise<number>;
  /** Counts bytes that arrive in concurrent requests of this process, so that together they do not exceed the room. */
  receive(organizationId: string): Receiving;
  /** A warning for a caller that pushes, before nothing fits any more; "": none. */
  warning(organizationId: string): Promise<string>;
  /** Adds bytes that were stored, or removed, since the last count. */
  add(organizationId: string, bytes: number): void;
}

export interface Receiving {
  /** Call it before the bytes are stored. @throws RegistryError DENIED */
  count(bytes: number): Promise<void> | undefined;
  /** Call it when all bytes were added to the quota, or none are stored. */
  end(): void;
}
