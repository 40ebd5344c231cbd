/** Name of a kept image, as in `/images/<name>`: the SHA-256 of its bytes in hex, a dot, its type. */
export type ImageName = `${string}.${string}`

/** An answer as it is kept: nothing in it depends on the request that will be given it. */
export interface CacheEntry<Body = unknown> {
  /** Milliseconds since 1970. */
  createdAt: number
  /** Milliseconds since 1970; from then on it is as if it had never been. */
  expiresAt: number
  /** The kept images that `body` names; each lives at least as long as the answer. */
  images: ImageName[]
  /** Plain data: what JSON can say, and bytes. */
  body: Body
}

/** An API key of the pro host, without its secret. */
export interface ApiKeyRecord {
  id: string
  name: string
  /** SHA-256 of the secret, hex. */
  secretHash: string
  /** Milliseconds since 1970. */
  createdAt: number
  revokedAt?: number | undefined
}

/** An answer names an image that is not kept, or not any more. */
export class MissingImageError extends Error {
  override readonly name = 'MissingImageError'
  constructor(image: ImageName) {
    super(`The image ${image} is not kept, so no answer can name it; write it again first`)
  }
}

/**
 * What the service remembers: answers, images, counters, keys. What it holds is bounded; the least recently used goes first.
 * Every method rejects with the plain error of the medium when that fails (`ENOSPC` when it is full), or with a `PageError`
 * `EBUSY` within seconds when that is elsewhere and out of reach; what was kept stays readable then. None of them blocks for
 * the network of a target.
 */
export interface Store {
  /** Reading counts as use. `Body` is the caller's own word for what was written under the key. */
  readEntry<Body>(key: string): Promise<CacheEntry<Body> | undefined>
  /**
   * Replaces what was kept under the key. The images of the answer that was there before stay until that one would have
   * expired: somebody may still hold it.
   *
   * @throws {MissingImageError}
   */
  writeEntry<Body>(key: string, answer: CacheEntry<Body>): Promise<void>
  /**
   * The same bytes are kept once. Until an answer names the image, it lives for ten minutes.
   *
   * @param type  File type without dot: lower case letters and digits, at most eight.
   * @throws {RangeError} when the image alone is larger than everything that may be kept.
   */
  writeImage(bytes: Uint8Array, type: string): Promise<ImageName>
  /** Reading counts as use. When the image turns out to be lost, the answers that name it are forgotten. */
  readImage(name: ImageName): Promise<Uint8Array | undefined>
  /**
   * Adds one to a client's requests of a day, and gives the sum. The counts of earlier days are forgotten.
   *
   * @param day  `YYYY-MM-DD`, UTC.
   */
  countRequest(client: string, day: string): Promise<number>
  readCount(client: string, day: string): Promise<number>
  /** A key is revoked also where nothing new can be kept any more. */
  writeKey(key: ApiKeyRecord): Promise<void>
  /** What another process writes is seen at once. */
  readKey(id: string): Promise<ApiKeyRecord | undefined>
  /** Oldest first. */
  listKeys(): Promise<ApiKeyRecord[]>
  /** What answers and images take on the disk of this machine, bytes. */
  usedBytes(): Promise<number>
  /**
   * Runs work that should not be done twice at the same time for a key, by whichever instances share the store. Whoever had
   * to wait reads first what was written meanwhile.
   *
   * @throws whatever the work throws, or the reason of the signal when that aborts before it is its turn.
   */
  exclusively<Result>(key: string, work: () => Promise<Result>, options: { signal: AbortSignal }): Promise<Result>
  /** Whether the store can be read and written right now, wherever it lies. */
  isReady(): Promise<boolean>
  /** Flushes what is written and lets go of the medium; whatever is asked afterwards rejects. */
  close(): Promise<void>
}
