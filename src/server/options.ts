/** How one option of `serve` is read; flags are its kebab-case, variables `PAGE_PREVIEW_` and its upper case. */
interface Option {
  type: 'port' | 'text' | 'url' | 'count' | 'bytes' | 'list' | 'flag' | 'level' | 'redis' | 's3'
  default?: string | number | boolean
  /** What stands behind the flag in the help. */
  placeholder?: string
  help: string
}

/** The one table of what `serve` can be told: flags, environment, checks and help follow from it. */
export const serveOptions = {
  port: { type: 'port', default: 3000, placeholder: 'PORT', help: 'port of the free host; 0 takes any free one' },
  proPort: { type: 'port', default: 3001, placeholder: 'PORT', help: 'port of the pro host' },
  host: { type: 'text', default: '127.0.0.1', placeholder: 'ADDRESS', help: 'address to listen at; 0.0.0.0 for all' },
  publicUrl: { type: 'url', placeholder: 'URL', help: 'address of the free host as the world sees it' },
  proPublicUrl: { type: 'url', placeholder: 'URL', help: 'address of the pro host as the world sees it' },
  proHost: { type: 'text', placeholder: 'NAME', help: 'serve both hosts on one port; requests with this Host are pro' },
  dataDir: { type: 'text', placeholder: 'DIR', help: 'where answers, images, counters and keys are kept' },
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
    help: 'how much is kept on the disk, with --s3 copies of images; the least recently used goes first',
  },
  allowTarget: {
    type: 'list',
    placeholder: 'HOST[:PORT]',
    help: 'let this private target through the network guard (repeatable)',
  },
  concurrency: { type: 'count', default: 2, placeholder: 'N', help: 'captures at the same time' },
  queue: { type: 'count', default: 50, placeholder: 'N', help: 'captures that may wait; more are told to come back' },
  browser: { type: 'text', placeholder: 'PATH|ws://…', help: 'a Chromium to use; found or fetched by default' },
  trustProxy: {
    type: 'count',
    default: 0,
    placeholder: 'N',
    help: 'proxies in front whose x-forwarded-for is believed',
  },
  redis: {
    type: 'redis',
    placeholder: 'redis://[USER:PASSWORD@]HOST[:6379][/DB]',
    help: 'share answers, counters and keys with other instances (rediss:// for TLS); they go when they expire, or by its own maxmemory',
  },
  s3: {
    type: 's3',
    placeholder: 's3://BUCKET[/FOLDER][?region=…&endpoint=…]',
    help: 'share images with other instances; credentials are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or KEY:SECRET@ in front of BUCKET; nothing is removed from it, a lifecycle rule of 32 days may',
  },
  demo: { type: 'flag', default: false, help: 'also serve a small sample site, and let it through the guard' },
  logLevel: { type: 'level', default: 'info', placeholder: 'LEVEL', help: 'debug, info, warn, error or silent' },
} as const satisfies Record<string, Option>

export type ServeOptionName = keyof typeof serveOptions
