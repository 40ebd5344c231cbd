import { canParseUrl } from '../query/written-url.js'
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

/** What an instance of the service does: everything, or one side of it. */
export const roles = ['all', 'front', 'worker'] as const
export type Role = (typeof roles)[number]

const port = { placeholder: 'PORT', parse: wholeNumber({ max: 65_535 }) } as const
const count = { placeholder: 'N', parse: wholeNumber() } as const
const positiveCount = { placeholder: 'N', parse: wholeNumber({ min: 1 }) } as const
const repeatable = { isRepeatable: true, default: '', parse: list } as const

/**
 * The single source of the options of `serve`. Those that name a store are parsed by `readServeOptions`, so that
 * a command that only shares an option loads neither.
 */
export const serveOptions = withVariables({
  role: {
    default: 'all',
    placeholder: 'ROLE',
    parse: choice(...roles),
    help: 'all; or front, which serves previews and lets --workers capture them; or worker, which captures pages for fronts and has neither a store nor keys',
  },
  workers: {
    placeholder: 'URL',
    parse: serviceUrl(),
    help: 'of a front: address of the workers, which is that of the balancer before them',
  },
  workerSecretFile: {
    placeholder: 'FILE',
    help: 'of a front and of a worker: file with the secret that they share; or set PAGE_PREVIEW_WORKER_SECRET to the secret',
  },
  port: { ...port, default: 3000, help: 'port of the free host; 0 chooses a free port' },
  proPort: { ...port, default: 3001, help: 'port of the pro host' },
  adminPort: {
    ...port,
    help: 'port for /readyz, /metrics and DELETE /cache, on the address of --host; do not expose it to the internet. Default: /readyz and /metrics are on the free host, and DELETE /cache is on none',
  },
  host: {
    default: '127.0.0.1',
    placeholder: 'ADDRESS',
    help: 'IP address to listen on; 0.0.0.0 for all addresses',
  },
  publicUrl: { placeholder: 'URL', parse: serviceUrl(), help: 'URL of the free host as clients reach it' },
  proPublicUrl: { placeholder: 'URL', parse: serviceUrl(), help: 'URL of the pro host as clients reach it' },
  proHost: {
    placeholder: 'NAME',
    parse: parseProHost,
    help: 'serve both hosts on one port; requests with this Host header are for the pro host',
  },
  dataDir: { placeholder: 'DIR', help: 'folder for cache entries, images, counters and keys' },
  signingSecretFile: {
    placeholder: 'FILE',
    help: 'file with the secret that encrypts signing keys; or set PAGE_PREVIEW_SIGNING_SECRET to the secret. Default: a secret generated in --data-dir. With --redis there is no default, and without a secret no URL can be signed',
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
    help: 'maximum disk space of the cache (with --s3, of its copies of images); beyond it the least recently used entries are evicted, first from clients that have more than a quarter',
  },
  allowTarget: {
    ...repeatable,
    placeholder: 'HOST[:PORT]',
    help: 'private target that the network guard allows (repeatable)',
  },
  denyTarget: {
    ...repeatable,
    placeholder: 'ADDRESS/BITS',
    help: 'public address range that the network guard denies, such as your NAT64 prefix (repeatable)',
  },
  deny: {
    ...repeatable,
    placeholder: 'HOST',
    help: 'host that is denied with its subdomains: its pages are neither fetched nor served from the cache (repeatable). Remove its stored images with the command purge',
  },
  denyFile: {
    placeholder: 'FILE',
    help: 'file with more hosts to deny, one per line; # starts a comment. It is read again when it changes',
  },
  userAgent: {
    placeholder: 'TEXT',
    parse: parseUserAgent,
    help: 'user agent with which the service itself fetches pages and files; the browser has that of Chrome. Default: PagePreviewbot with its version and the URL of --bot-info-url',
  },
  botInfoUrl: {
    placeholder: 'URL',
    parse: serviceUrl(),
    help: 'URL in the default user agent, for site owners who want to know who fetches their pages. Default: /about-bot of --public-url, or else the package of the service',
  },
  operator: {
    placeholder: 'TEXT',
    parse: parseOperator,
    help: 'name of who runs the service, with an address of mail or of a page, for site owners: /about-bot shows it',
  },
  ignoreOptOut: {
    help: 'show pages although their robots.txt, a meta element or a header says that they want no preview; for an intranet whose pages are your own',
  },
  freeHistory: {
    help: 'keep the history of pages on the free host too, where it is the same for everybody',
  },
  concurrency: {
    ...positiveCount,
    default: 2,
    help: 'maximum concurrent captures; half as many more are reserved for clients that have none running',
  },
  maxQueue: {
    ...count,
    default: 50,
    help: 'maximum captures that wait in the queue; further requests get 503',
  },
  maxConnections: {
    ...positiveCount,
    default: 1000,
    help: 'maximum concurrent connections to each host; more are closed',
  },
  maxConnectionsPerClient: {
    ...positiveCount,
    default: 250,
    help: 'maximum concurrent connections of one client; ignored with --trust-proxy, because the reverse proxy has to limit its clients',
  },
  drainDelay: {
    ...count,
    default: 0,
    placeholder: 'SECONDS',
    help: 'how long connections are still accepted after SIGTERM, while /readyz responds with 503; set it to the time that your load balancer needs to notice',
  },
  browser: {
    placeholder: 'PATH',
    parse: parseBrowserPath,
    help: 'Chromium to launch. Default: an installed Chromium, or a downloaded one',
  },
  browserMirror: {
    placeholder: 'URL',
    parse: parseMirror,
    help: 'mirror to download Chromium from, instead of Google, if none is found',
  },
  noBrowserUpdate: {
    help: 'keep the Chromium that the service has installed. Default: it is updated once it is 14 days old',
  },
  browserUser: {
    default: 'nobody',
    placeholder: 'NAME',
    help: 'user that runs Chromium if the service runs as root, because Chromium has no sandbox as root',
  },
  allowUnsandboxed: {
    help: 'run Chromium without its sandbox if it cannot have one, instead of refusing to start',
  },
  trustProxy: {
    ...count,
    default: 0,
    help: 'number of reverse proxies whose x-forwarded-for is trusted',
  },
  redis: {
    isSecret: true,
    placeholder: 'redis://[USER:PASSWORD@]HOST[:6379][/DB]',
    help: 'Redis in which instances share cache entries, counters and keys; rediss:// for TLS. Redis deletes entries when they expire, or when it reaches its maxmemory',
  },
  redisPrefix: {
    default: 'page-preview',
    placeholder: 'NAME',
    help: 'prefix of each key in Redis; services with different prefixes share nothing',
  },
  queue: {
    isSecret: true,
    placeholder: 'redis://[USER:PASSWORD@]HOST[:6379][/DB]',
    help: 'Redis in which instances share jobs, with maxmemory-policy noeviction; not that of --redis. Default: jobs are in --data-dir, for this machine alone',
  },
  keys: {
    isSecret: true,
    placeholder: 'redis://…|DIR',
    help: 'where API keys are stored: a folder or a persistent Redis. Default: --data-dir, or the --redis server if set, where FLUSHALL or eviction can delete them',
  },
  s3: {
    isSecret: true,
    placeholder: 's3://BUCKET[/FOLDER][?region=…&endpoint=…]',
    help: 'bucket in which instances share images; credentials are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or KEY:SECRET@ before BUCKET. Only purges delete images there, so set a lifecycle rule for each of its folders 2-days, 8-days and 32-days',
  },
  demo: { help: 'also serve a small sample site, and allow it as a target' },
  demoPort: {
    ...port,
    default: 3002,
    help: 'port of the sample site; 0 chooses a free port, which changes with each start',
  },
  accessLog: {
    help: 'log every request, including cached ones. Default: only failed requests',
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
  dataDir: { ...serveOptions.dataDir, help: 'folder of the service. Default: as in serve' },
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

/** As the `Host` header is compared: a host that no request can have would let everybody use the pro host without a key. */
function parseProHost(text: string): string {
  const url = `http://${text}`
  if (/^[^\s/?#@\\]+$/.test(text) && canParseUrl(url)) return new URL(url).host
  throw new Error(`must be a host like pro.example.com, without http://, not "${text}"`)
}

function parseMirror(text: string): string {
  const url = serviceUrl()(text)
  const { username, password, search, hash } = new URL(url)
  if (username || password || search || hash) throw new Error('must be a URL without a user, a query and a hash')
  return url
}

function parseUserAgent(text: string): string {
  if (/^[!-~][ -~]{0,511}$/.test(text)) return text
  throw new Error('must be 1 to 512 ASCII characters, and must not start with a space')
}

function parseOperator(text: string): string {
  if (text.trim() && text.length <= 300 && !/\p{Cc}/u.test(text)) return text.trim()
  throw new Error('must be 1 to 300 characters on one line')
}

function parseBrowserPath(text: string): string {
  if (!/^(https?|wss?):/i.test(text)) return text
  throw new Error('must be the path of a Chromium; for a browser on another machine, run a worker there')
}
