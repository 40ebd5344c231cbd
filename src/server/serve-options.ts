import { secretFileVariable } from './secrets.js'

/** One option of `serve`. Its flag is the name in kebab-case, its environment variable `PAGE_PREVIEW_` and the name in upper case. */
interface ServeOption {
  type:
    | 'port'
    | 'text'
    | 'url'
    | 'count'
    | 'bytes'
    | 'list'
    | 'flag'
    | 'level'
    | 'redis'
    | 's3'
    | 'keys'
    | 'browser'
    | 'address'
  default?: string | number | boolean
  /** Whether it may contain a password, which is then better read from the file that its variable with `_FILE` names. */
  isSecret?: boolean
  /** Name of the value in the help text. */
  placeholder?: string
  help: string
}

/** The single source of the options of `serve`: flags, environment variables, validation and help text follow from it. */
export const serveOptions = {
  port: { type: 'port', default: 3000, placeholder: 'PORT', help: 'port of the free host; 0 chooses an unused one' },
  proPort: { type: 'port', default: 3001, placeholder: 'PORT', help: 'port of the pro host' },
  adminPort: {
    type: 'port',
    placeholder: 'PORT',
    help: 'serve /readyz, /metrics and DELETE /cache on this port alone, on the address of --host since probes come from other machines; keep it off the internet; by default they are on the free host',
  },
  host: {
    type: 'text',
    default: '127.0.0.1',
    placeholder: 'ADDRESS',
    help: 'IP address to listen on; 0.0.0.0 for all',
  },
  publicUrl: { type: 'url', placeholder: 'URL', help: 'URL of the free host as clients reach it' },
  proPublicUrl: { type: 'url', placeholder: 'URL', help: 'URL of the pro host as clients reach it' },
  proHost: { type: 'text', placeholder: 'NAME', help: 'serve both hosts on one port; requests with this Host are pro' },
  dataDir: { type: 'text', placeholder: 'DIR', help: 'folder for cache entries, images, counters and keys' },
  signingSecretFile: {
    type: 'text',
    placeholder: 'FILE',
    help: 'file with the secret that encrypts the signing keys of API keys, or set PAGE_PREVIEW_SIGNING_SECRET to the secret itself; by default one is generated in --data-dir, with --redis none, and then no URL can be signed',
  },
  freeDailyLimit: {
    type: 'count',
    default: 250,
    placeholder: 'N',
    help: 'uncached requests per client and day on the free host',
  },
  storeMax: {
    type: 'bytes',
    default: '5GB',
    placeholder: 'SIZE',
    help: 'disk space of the cache (with --s3, of the copies of images); the least recently used entries are evicted, first those of a client with over a quarter',
  },
  allowTarget: {
    type: 'list',
    placeholder: 'HOST[:PORT]',
    help: 'private target that the network guard lets through (repeatable)',
  },
  denyTarget: {
    type: 'list',
    placeholder: 'ADDRESS/BITS',
    help: 'address range that the network guard denies although it is public, such as your own NAT64 prefix (repeatable)',
  },
  deny: {
    type: 'list',
    placeholder: 'HOST',
    help: 'host whose pages, and those of its subdomains, are neither fetched nor served from the cache (repeatable); purge removes the images that it has',
  },
  denyFile: {
    type: 'text',
    placeholder: 'FILE',
    help: 'further hosts to deny, one per line, # begins a comment; read again when it changes',
  },
  concurrency: {
    type: 'count',
    default: 2,
    placeholder: 'N',
    help: 'captures at the same time; half as many in addition, each of a client that has no other',
  },
  queue: {
    type: 'count',
    default: 50,
    placeholder: 'N',
    help: 'captures that may wait in the queue; further requests get 503',
  },
  maxConnections: {
    type: 'count',
    default: 1000,
    placeholder: 'N',
    help: 'connections that each host accepts at the same time; further ones are closed',
  },
  maxConnectionsPerClient: {
    type: 'count',
    default: 250,
    placeholder: 'N',
    help: 'connections of one client at the same time; not applied with --trust-proxy, where the reverse proxy limits them',
  },
  drainDelay: {
    type: 'count',
    default: 0,
    placeholder: 'SECONDS',
    help: 'time from SIGTERM, when /readyz turns to 503, until connections are refused: as long as a load balancer needs to notice',
  },
  browser: {
    type: 'browser',
    placeholder: 'PATH|http://HOST:PORT',
    help: 'Chromium to launch, or the DevTools addresses of running ones (repeatable); by default one is found or downloaded',
  },
  proxyHost: {
    type: 'address',
    default: '127.0.0.1',
    placeholder: 'ADDRESS',
    help: 'IP address at which running browsers on other machines reach the egress proxies of their pages; 0.0.0.0 for all',
  },
  proxyPublicHost: {
    type: 'text',
    placeholder: 'HOST',
    help: 'name by which those browsers reach them; by default --proxy-host',
  },
  browserUser: {
    type: 'text',
    default: 'nobody',
    placeholder: 'NAME',
    help: 'user that runs Chromium when the service runs as root, since Chromium has no sandbox as root',
  },
  allowUnsandboxed: {
    type: 'flag',
    default: false,
    help: 'run Chromium without its sandbox where it cannot have one, instead of refusing to start',
  },
  trustProxy: {
    type: 'count',
    default: 0,
    placeholder: 'N',
    help: 'number of reverse proxies whose x-forwarded-for is trusted',
  },
  redis: {
    type: 'redis',
    isSecret: true,
    placeholder: 'redis://[USER:PASSWORD@]HOST[:6379][/DB]',
    help: 'share cache entries, counters and keys with other instances (rediss:// for TLS); entries are removed when they expire, or by its maxmemory',
  },
  redisPrefix: {
    type: 'text',
    default: 'page-preview',
    placeholder: 'NAME',
    help: 'prefix of each key in Redis; services with different ones share nothing',
  },
  keys: {
    type: 'keys',
    isSecret: true,
    placeholder: 'redis://…|DIR',
    help: 'where API keys are: a folder, or a Redis with persistence; by default in --data-dir, with --redis there, where FLUSHALL or eviction deletes them',
  },
  s3: {
    type: 's3',
    isSecret: true,
    placeholder: 's3://BUCKET[/FOLDER][?region=…&endpoint=…]',
    help: 'share images with other instances; credentials are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or KEY:SECRET@ before BUCKET; only purges delete there: set a lifecycle rule of 32 days',
  },
  demo: { type: 'flag', default: false, help: 'also serve a small sample site, and allow it as a target' },
  demoPort: {
    type: 'port',
    default: 3002,
    placeholder: 'PORT',
    help: 'port of the sample site; 0 chooses an unused one, at which a restart does not find it again',
  },
  accessLog: {
    type: 'flag',
    default: false,
    help: 'write a line to the log for every request, cached ones included, not only for failed ones',
  },
  logLevel: { type: 'level', default: 'info', placeholder: 'LEVEL', help: 'debug, info, warn, error or silent' },
} as const satisfies Record<string, ServeOption>

export type ServeOptionName = keyof typeof serveOptions

/** @returns  `--data-dir` for `dataDir`. */
export const optionFlag = (name: string) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`

/** @returns  `PAGE_PREVIEW_DATA_DIR` for `dataDir`. */
export const optionVariable = (name: string) =>
  `PAGE_PREVIEW_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`

/** What to do with a password in the value of a flag. */
export const passwordAdvice = (name: ServeOptionName) =>
  `others can read the arguments of a process: write the URL into a file, set ${secretFileVariable(optionVariable(name))} ` +
  `to its path, and remove ${optionFlag(name)}`
