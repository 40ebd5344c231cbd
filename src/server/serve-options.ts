import { isIP } from 'node:net'
import {
  choice,
  list,
  optionFlag,
  optionVariable,
  secretFileVariable,
  serviceUrl,
  wholeNumber,
  withVariables,
} from '../command-line/index.js'

const port = { placeholder: 'PORT', parse: wholeNumber({ max: 65_535 }) } as const
const count = { placeholder: 'N', parse: wholeNumber() } as const
const repeatable = { isRepeatable: true, default: '', parse: list } as const

/**
 * The single source of the options of `serve`. Those that name a browser or a store are parsed by `readServeOptions`, so that
 * a command that only shares an option loads neither.
 */
export const serveOptions = withVariables({
  port: { ...port, default: 3000, help: 'port of the free host; 0 chooses an unused one' },
  proPort: { ...port, default: 3001, help: 'port of the pro host' },
  adminPort: {
    ...port,
    help: 'serve /readyz, /metrics and DELETE /cache on this port alone, on the address of --host since probes come from other machines; keep it off the internet; by default they are on the free host',
  },
  host: {
    default: '127.0.0.1',
    placeholder: 'ADDRESS',
    help: 'IP address to listen on; 0.0.0.0 for all',
  },
  publicUrl: { placeholder: 'URL', parse: serviceUrl(), help: 'URL of the free host as clients reach it' },
  proPublicUrl: { placeholder: 'URL', parse: serviceUrl(), help: 'URL of the pro host as clients reach it' },
  proHost: { placeholder: 'NAME', help: 'serve both hosts on one port; requests with this Host are pro' },
  dataDir: { placeholder: 'DIR', help: 'folder for cache entries, images, counters and keys' },
  signingSecretFile: {
    placeholder: 'FILE',
    help: 'file with the secret that encrypts the signing keys of API keys, or set PAGE_PREVIEW_SIGNING_SECRET to the secret itself; by default one is generated in --data-dir, with --redis none, and then no URL can be signed',
  },
  freeDailyLimit: {
    ...count,
    default: 250,
    help: 'uncached requests per client and day on the free host',
  },
  storeMax: {
    default: '5GB',
    placeholder: 'SIZE',
    parse: parseBytes,
    help: 'disk space of the cache (with --s3, of the copies of images); the least recently used entries are evicted, first those of a client with over a quarter',
  },
  allowTarget: {
    ...repeatable,
    placeholder: 'HOST[:PORT]',
    help: 'private target that the network guard lets through (repeatable)',
  },
  denyTarget: {
    ...repeatable,
    placeholder: 'ADDRESS/BITS',
    help: 'address range that the network guard denies although it is public, such as your own NAT64 prefix (repeatable)',
  },
  deny: {
    ...repeatable,
    placeholder: 'HOST',
    help: 'host whose pages, and those of its subdomains, are neither fetched nor served from the cache (repeatable); purge removes the images that it has',
  },
  denyFile: {
    placeholder: 'FILE',
    help: 'further hosts to deny, one per line, # begins a comment; read again when it changes',
  },
  concurrency: {
    ...count,
    default: 2,
    help: 'captures at the same time; half as many in addition, each of a client that has no other',
  },
  queue: {
    ...count,
    default: 50,
    help: 'captures that may wait in the queue; further requests get 503',
  },
  maxConnections: {
    ...count,
    default: 1000,
    help: 'connections that each host accepts at the same time; further ones are closed',
  },
  maxConnectionsPerClient: {
    ...count,
    default: 250,
    help: 'connections of one client at the same time; not applied with --trust-proxy, where the reverse proxy limits them',
  },
  drainDelay: {
    ...count,
    default: 0,
    placeholder: 'SECONDS',
    help: 'time from SIGTERM, when /readyz turns to 503, until connections are refused: as long as a load balancer needs to notice',
  },
  browser: {
    isRepeatable: true,
    placeholder: 'PATH|http://HOST:PORT',
    help: 'Chromium to launch, or the DevTools addresses of running ones (repeatable); by default one is found or downloaded',
  },
  proxyHost: {
    default: '127.0.0.1',
    placeholder: 'ADDRESS',
    parse: parseAddress,
    help: 'IP address at which running browsers on other machines reach the egress proxies of their pages; 0.0.0.0 for all',
  },
  proxyPublicHost: {
    placeholder: 'HOST',
    help: 'name by which those browsers reach them; by default --proxy-host',
  },
  browserUser: {
    default: 'nobody',
    placeholder: 'NAME',
    help: 'user that runs Chromium when the service runs as root, since Chromium has no sandbox as root',
  },
  allowUnsandboxed: {
    help: 'run Chromium without its sandbox where it cannot have one, instead of refusing to start',
  },
  trustProxy: {
    ...count,
    default: 0,
    help: 'number of reverse proxies whose x-forwarded-for is trusted',
  },
  redis: {
    isSecret: true,
    placeholder: 'redis://[USER:PASSWORD@]HOST[:6379][/DB]',
    help: 'share cache entries, counters and keys with other instances (rediss:// for TLS); entries are removed when they expire, or by its maxmemory',
  },
  redisPrefix: {
    default: 'page-preview',
    placeholder: 'NAME',
    help: 'prefix of each key in Redis; services with different ones share nothing',
  },
  keys: {
    isSecret: true,
    placeholder: 'redis://…|DIR',
    help: 'where API keys are: a folder, or a Redis with persistence; by default in --data-dir, with --redis there, where FLUSHALL or eviction deletes them',
  },
  s3: {
    isSecret: true,
    placeholder: 's3://BUCKET[/FOLDER][?region=…&endpoint=…]',
    help: 'share images with other instances; credentials are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or KEY:SECRET@ before BUCKET; only purges delete there: set a lifecycle rule of 32 days',
  },
  demo: { help: 'also serve a small sample site, and allow it as a target' },
  demoPort: {
    ...port,
    default: 3002,
    help: 'port of the sample site; 0 chooses an unused one, at which a restart does not find it again',
  },
  accessLog: {
    help: 'write a line to the log for every request, cached ones included, not only for failed ones',
  },
  logLevel: {
    default: 'info',
    placeholder: 'LEVEL',
    parse: choice('debug', 'info', 'warn', 'error', 'silent'),
    help: 'debug, info, warn, error or silent',
  },
})

/** @returns  `--data-dir` for `dataDir`. */
export const serveFlag = (name: keyof typeof serveOptions): string => optionFlag(name)

/** The options of the other commands, which work on the store of a service. */
export const storeOptions = {
  dataDir: { ...serveOptions.dataDir, help: 'folder of the service; by default that of serve' },
  redis: { ...serveOptions.redis, placeholder: 'URL', help: 'as in serve' },
  redisPrefix: { ...serveOptions.redisPrefix, help: 'as in serve' },
} as const

/** What to do with a password in the value of a flag. */
export const passwordAdvice = (name: string) =>
  `others can read the arguments of a process: write the URL into a file, set ${secretFileVariable(optionVariable(name))} ` +
  `to its path, and remove ${optionFlag(name)}`

const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

function parseBytes(text: string): number {
  const [, amount, unit = ''] = /^([\d.]+) ?([KMGT]?B)?$/i.exec(text) ?? []
  const bytes = Number(amount) * (UNITS[unit.toUpperCase()] ?? NaN)
  if (bytes >= 1e6) return bytes
  throw new Error(`must be a size of at least 1MB like 5GB, not "${text}"`)
}

function parseAddress(text: string): string {
  if (isIP(text)) return text
  throw new Error(`must be an IP address, not "${text}"`)
}
