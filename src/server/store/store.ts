/** Name of a kept image, as in `/images/<name>`: the SHA-256 of its bytes in hex, a dot, its type. */
export type ImageName = `${string}.${string}`

/** An answer as it is kept: nothing in it depends on the request that will be given it. */
export interface KeptAnswer<Body = unknown> {
  /** Milliseconds since 1970. */
  madeAt: number
  /** Milliseconds since 1970; from then on it is as if it had never been. */
  expiresAt: number
  /** The kept images that `body` names; each lives at least as long as the answer. */
  images: ImageName[]
  /** Plain data that survives structured cloning. */
  body: Body
}

/** An API key of the pro host, without its secret. */
export interface KeptKey {
  id: string
  name: string
  /** SHA-256 of the secret, hex. */
  secretHash: string
  /** Milliseconds since 1970. */
  createdAt: number
  revokedAt?: number | undefined
}

/**
 * What the service remembers: answers, images, counters, keys. What it holds is bounded; the least recently used goes first.
 * Every method rejects with the plain error of the medium when that fails; none of them blocks for the network of a target.
 */
export interface Store {
  readAnswer<Body>(key: string): Promise<KeptAnswer<Body> | undefined>
  /** Replaces what was kept under the key. */
  writeAnswer<Body>(key: string, answer: KeptAnswer<Body>): Promise<void>
  /** @param type  File type without dot. */
  writeImage(bytes: Uint8Array, type: string): Promise<ImageName>
  readImage(name: ImageName): Promise<Uint8Array | undefined>
  /** Adds one to a client's requests of a day, and gives the sum. @param day `YYYY-MM-DD`, UTC. */
  countRequest(client: string, day: string): Promise<number>
  readCount(client: string, day: string): Promise<number>
  writeKey(key: KeptKey): Promise<void>
  readKey(id: string): Promise<KeptKey | undefined>
  listKeys(): Promise<KeptKey[]>
  /** Flushes what is written and lets go of the medium; nothing may be asked afterwards. */
  close(): Promise<void>
}
