import type { SigningSecretOptions } from './keys/index.js'
import { createLogger, type Logger, type LogLevel } from './log.js'
import { serveOptions, type Role } from './serve-options.js'

/** Options of `createService`. Options that `serve` has too have its defaults, except for the log and `dataDir`. */
export interface ServiceOptions extends SigningSecretOptions {
  /**
   * `front` serves previews, and lets `workers` capture them; `worker` captures pages for fronts, and has neither a store nor keys.
   * Default: `all`.
   */
  role?: Role | undefined
  /** URL of the workers of a front, or of the balancer before them. */
  workers?: string | undefined
  /** What fronts and workers share, at least 32 characters; required for both. */
  workerSecret?: string | undefined
  /** Path of a file that contains the secret; `workerSecret` is ignored then. */
  workerSecretFile?: string | undefined
  /** Folder of cache entries, images, counters and keys. Default: a temporary folder that `close()` removes. */
  dataDir?: string | undefined
  /** URL of a Redis, `redis://…`, in which several instances share cache entries, counters and keys. Default: `dataDir`. */
  redis?: string | undefined
  /** Prefix of each key in Redis, so that services share a database without sharing results. Default: as in `serveOptions`. */
  redisPrefix?: string | undefined
  /**
   * URL of a Redis that evicts nothing, `redis://…`, in which several instances share jobs. Default: `dataDir`, for this machine alone.
   */
  queue?: string | undefined
  /** Where API keys are stored: a folder, or the URL of a persistent Redis. Default: with the counters. */
  keys?: string | undefined
  /**
   * URL of a bucket, `s3://bucket/folder?region=…&endpoint=…`, in which several instances share images; credentials come
   * from the usual AWS environment variables. `dataDir` then holds copies. Default: `dataDir` alone.
   */
  s3?: string | undefined
  /** Bytes; beyond it the least recently used entries are evicted. Default: as in `serveOptions`. */
  storeMaxBytes?: number | undefined
  /** Private targets that the network guard allows: `HOST` or `HOST:PORT`. */
  allowTargets?: readonly string[] | undefined
  /** Public address ranges that the network guard denies: `ADDRESS/BITS`. */
  denyTargets?: readonly string[] | undefined
  /** Hosts whose pages, including their subdomains, are neither fetched nor served from the cache. */
  denyHosts?: readonly string[] | undefined
  /** File with further hosts to deny, one per line; it is read again when it changes. */
  denyFile?: string | undefined
  /**
   * User agent of the requests that the service itself sends: for pages, and for the files that they name. The browser has that of
   * Chrome. Default: `PagePreviewbot` with its version and `botInfoUrl`.
   */
  userAgent?: string | undefined
  /**
   * URL in the default user agent, which says who runs the service. Default: `/about-bot` of `publicUrl` or of `proPublicUrl`, or else the
   * package of the service.
   */
  botInfoUrl?: string | undefined
  /** Name of who runs the service, with an address of mail or of a page, which `/about-bot` shows. Default: none. */
  operator?: string | undefined
  /**
   * Shows pages although they do not want previews, by their `robots.txt`, a `<meta>` element or a header; for an intranet whose pages
   * are the operator's own. Default: false.
   */
  ignoreOptOut?: boolean | undefined
  /** Lets the free host keep the history of pages too, which is the same for everybody there. Default: false. */
  freeHistory?: boolean | undefined
  /** Uncached requests per client and day on the free host. Default: as in `serveOptions`. */
  freeDailyLimit?: number | undefined
  /** Maximum concurrent captures; half as many more are reserved for clients that have none running. Default: as in `serveOptions`. */
  concurrency?: number | undefined
  /** Captures that may wait in the queue; more fail with `EBUSY`. Default: as in `serveOptions`. */
  maxQueue?: number | undefined
  /** Path of the Chromium to launch. Default: one found on the system, or a downloaded one. */
  browser?: string | undefined
  /**
   * URL of a mirror from which Chromium is downloaded if none is found: it has `last-known-good-versions.json` and the archives at the
   * paths of Google's. Default: Google.
   */
  browserMirror?: string | undefined
  /** Keeps a Chromium that was installed automatically as it is. Default: false, and it is updated once it is 14 days old. */
  noBrowserUpdate?: boolean | undefined
  /** Name of the user that runs the browser if the service runs as root. Default: as in `serveOptions`. */
  browserUser?: string | undefined
  /** Lets the browser run without its sandbox if it cannot have one. Default: false, and captures fail there. */
  allowUnsandboxed?: boolean | undefined
  /** Starts the browser immediately instead of with the first capture. Default: false. */
  warm?: boolean | undefined
  /** Number of trusted reverse proxies in front of the service, whose `x-forwarded-for` is used. Default: as in `serveOptions`. */
  trustProxy?: number | undefined
  /** Public URL of the free host. Default: the origin of each request. */
  publicUrl?: string | undefined
  /** Public URL of the pro host. Default: the origin of each request. */
  proPublicUrl?: string | undefined
  /** Requests with this `Host` header belong to the pro host. */
  proHost?: string | undefined
  /** Leaves `/readyz` and `/metrics` to `Service.fetchAdmin`. Default: false, and the free host serves them too. */
  hasAdminPort?: boolean | undefined
  /** Sample pages offered in the playground. */
  examples?: readonly Example[] | undefined
  /** Default: `silent`. */
  logLevel?: LogLevel | undefined
  /** Writes a line to the log for every request, cached ones included. Default: only for failed ones. */
  accessLog?: boolean | undefined
  /** Replaces the logger on stderr; `logLevel` is ignored then. */
  log?: Logger | undefined
  /** Milliseconds since 1970. Default: the system's clock. */
  clock?: (() => number) | undefined
}

/** A sample page offered in the playground. */
export interface Example {
  /** What the playground calls it. */
  label: string
  /** URL of the page. */
  url: string
  /** Language of the label, as a BCP 47 tag. Default: English. */
  lang?: string
}

/** Options that a role does not have. Those that a container image sets, such as `dataDir`, are ignored instead. */
const FOREIGN_OPTIONS = {
  all: ['workers', 'workerSecret', 'workerSecretFile'],
  front: [],
  worker: [
    'workers',
    'redis',
    'queue',
    's3',
    'keys',
    'signingSecret',
    'signingSecretFile',
    'proHost',
    'publicUrl',
    'proPublicUrl',
  ],
} as const satisfies Readonly<Record<Role, readonly (keyof ServiceOptions)[]>>

/**
 * What is wrong with the options for their role, a sentence each.
 *
 * @param nameOf  What sentences call an option.
 */
export function findRoleMistakes(options: ServiceOptions, nameOf: (option: keyof ServiceOptions) => string): string[] {
  const { role = serveOptions.role.default } = options
  const roleName = `${nameOf('role')} ${role}`
  const foreign = FOREIGN_OPTIONS[role].filter((option) => options[option] !== undefined)
  const mistakes = foreign.map((option) =>
    role === 'worker'
      ? `${nameOf(option)} is not for ${roleName}: it opens the pages of others, so only fronts have what they could steal. Remove it there.`
      : `${nameOf(option)} is not for ${roleName}; set ${nameOf('role')} to front or worker, or remove it.`,
  )
  const hasSecret = (options.workerSecret ?? options.workerSecretFile) !== undefined
  if (role === 'front' && options.workers === undefined)
    mistakes.push(`${roleName} needs ${nameOf('workers')}: the address of the workers that capture its pages.`)
  if (role !== 'all' && !hasSecret)
    mistakes.push(`${roleName} needs ${nameOf('workerSecretFile')}: the secret that fronts and workers share.`)
  return mistakes
}

/** The options of a service, with a value for each that has a default. */
export type ServiceSettings = ReturnType<typeof withDefaults>

/** Adds the defaults of `serve`, except that a service that a program creates writes no log by default. */
export function withDefaults(options: ServiceOptions) {
  const { logLevel = 'silent' } = options
  return {
    ...options,
    role: options.role ?? serveOptions.role.default,
    storeMaxBytes: options.storeMaxBytes ?? serveOptions.storeMax.parse(serveOptions.storeMax.default),
    redisPrefix: options.redisPrefix ?? serveOptions.redisPrefix.default,
    ignoreOptOut: options.ignoreOptOut ?? false,
    freeHistory: options.freeHistory ?? false,
    freeDailyLimit: options.freeDailyLimit ?? serveOptions.freeDailyLimit.default,
    concurrency: options.concurrency ?? serveOptions.concurrency.default,
    maxQueue: options.maxQueue ?? serveOptions.maxQueue.default,
    trustProxy: options.trustProxy ?? serveOptions.trustProxy.default,
    hasAdminPort: options.hasAdminPort ?? false,
    examples: options.examples ?? [],
    logLevel,
    accessLog: options.accessLog ?? false,
    log: options.log ?? createLogger(logLevel),
    clock: options.clock ?? Date.now,
  }
}
