import { setTimeout as delay } from 'node:timers/promises'
import {
  optionFlag,
  optionVariable,
  readArguments,
  unknownFlag,
  UsageError,
  type Values,
} from '../command-line/index.js'
import { assertBrowserExists } from './browser/index.js'
import type { DemoSite } from './demo/index.js'
import { closeAfterFailure, closeAll, type Closings } from './closings.js'
import { createService, type Service } from './create-service.js'
import type { Plan } from './request-scope.js'
import { assertPortsFree, listen, type Listener, type PortOption } from './http/index.js'
import { createLogger, type Logger } from './log.js'
import { passwordAdvice, serveFlag, serveOptions } from './serve-options.js'
import { findRoleMistakes, type ServiceOptions } from './service-options.js'
import { ensureDataDir, isRedisUrl, parseBucketUrl, parseRedisUrl } from './store/index.js'

/** Validated options of `serve`; `storeMax` is in bytes, `drainDelay` in seconds. */
export interface ServeOptions extends Values<typeof serveOptions> {
  /** From the environment alone, because others can read the arguments of a process. */
  signingSecret?: string
  /** From the environment alone. */
  workerSecret?: string
  /** Options with a password among the arguments, which others can read in the list of processes. */
  exposedPasswords: string[]
}

/** Every mistake in the options of `serve`, one sentence each. */
export class OptionsError extends UsageError {
  override readonly name = 'OptionsError'
  constructor(
    /** A sentence each. */
    readonly mistakes: readonly string[],
  ) {
    super(mistakes.join('\n'))
  }
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the options from flags; the environment supplies those without a flag.
 *
 * @throws  {OptionsError} with every mistake at once.
 */
export function readServeOptions(args: readonly string[], env: Env): ServeOptions {
  const options = {
    ...serveOptions,
    redis: { ...serveOptions.redis, parse: checkedBy(parseRedisUrl) },
    queue: { ...serveOptions.queue, parse: checkedBy(parseRedisUrl) },
    keys: { ...serveOptions.keys, parse: (text: string) => (isRedisUrl(text) ? checkedBy(parseRedisUrl)(text) : text) },
    s3: { ...serveOptions.s3, parse: checkedBy((url) => parseBucketUrl(url, env)) },
  }
  const { values, operands, exposedPasswords, mistakes } = readArguments({ options }, args, env)
  mistakes.unshift(...operands.map((operand) => unknownFlag(operand, { options })))
  const { signingSecret, workerSecret } = secretsOf(env)
  const secrets = { ...(signingSecret && { signingSecret }), ...(workerSecret && { workerSecret }) }
  if (mistakes.length === 0) mistakes.push(...findRoleMistakes({ ...values, ...secrets }, optionName))
  if (mistakes.length === 0 && values.demo && values.role !== 'all')
    mistakes.push(`${serveFlag('demo')} is for ${serveFlag('role')} all, because workers do not reach its sample site.`)
  if (mistakes.length === 0 && values.adminPort !== undefined && values.role === 'worker')
    mistakes.push(
      `${serveFlag('adminPort')} is not for ${serveFlag('role')} worker, which has /readyz and /metrics on ${serveFlag('port')}.`,
    )
  if (values.queue !== undefined && values.queue === values.redis)
    mistakes.push(
      `${serveFlag('queue')} must be another Redis than ${serveFlag('redis')}: a cache may evict its keys, and jobs would be lost.`,
    )
  if (mistakes.length > 0) throw new OptionsError(mistakes)
  return { ...values, ...secrets, exposedPasswords }
}

/** The secrets that have no flag, because others can read the arguments of a process. */
const secretsOf = (env: Env) => ({
  signingSecret: env[optionVariable('signingSecret')] || undefined,
  workerSecret: env[optionVariable('workerSecret')] || undefined,
})

const optionName = (option: string) =>
  Object.hasOwn(serveOptions, option) ? optionFlag(option) : optionVariable(option)

/** The URL as it is written. Reasons do not contain it, because it may contain a password. */
const checkedBy = (parse: (url: string) => unknown) => (text: string) => {
  parse(text)
  return text
}

/** What runs until it is stopped. */
interface Running {
  /** The service behind the listeners. */
  service: Service
  /**
   * Lets `/readyz` respond with 503 for the drain delay, stops accepting connections, lets running requests finish (at most 30 s), then
   * closes the service and the demo site.
   */
  stop(): Promise<void>
}

export interface RunningWorker extends Running {
  /** URL at which fronts, or the balancer before the workers, reach it, without trailing slash. */
  worker: string
}

export interface RunningServer extends Running {
  /** URL of the free host, without trailing slash. */
  free: string
  /** URL of the pro host, without trailing slash. */
  pro: string
  /** URL of the playground. */
  playground: string
  /** URL of the admin port, without trailing slash; `undefined` when there is none. */
  admin: string | undefined
  /** The sample site; `undefined` when it is not served. */
  demo: Pick<DemoSite, 'url' | 'examples'> | undefined
  /** Folder of the store. */
  dataDir: string
}

const isLoopback = (host: string) => /^(127\.|::1$|localhost$)/.test(host)
const MAX_DRAIN_MS = 30_000
/** Where the sample site listens, regardless of `--host`. */
const DEMO_HOST = '127.0.0.1'

/**
 * Starts a service with listeners for its free and its pro host, and with `demo` a sample site. Unless `warm` is false, its
 * browser starts too, before the first capture needs it.
 *
 * @throws  Error with a sentence when a port is in use, or the data folder or the file of the browser cannot be used.
 */
export async function serve(options: ServeOptions, { warm = true } = {}): Promise<RunningServer> {
  await assertPortsFree(portsOf(options))
  const log = createLogger(options.logLevel)
  warnOfPasswords(options, log)
  warnOfOwnJobs(options, log)
  if (options.role !== 'front') await assertBrowserExists(options.browser)
  const dataDir = await ensureDataDir(options.dataDir)
  const closings: Closings = []
  try {
    const demo = await startDemo(options, closings)
    const listeners: Listener[] = []
    const running = await start({ ...serviceOptionsOf(options, demo), dataDir, log, warm }, options, {
      listeners,
      closings,
    })
    const urls = await listenOnBothHosts(running.service, options, listeners)
    const admin = await listenForOperator(running.service, options, listeners)
    return { ...running, ...urls, admin, playground: `${urls.free}/playground/`, demo, dataDir }
  } catch (error) {
    return closeAfterFailure(closings, error)
  }
}

/** Starts a worker with its one listener. Its errors are those of `serve`. */
export async function serveWorker(options: ServeOptions, { warm = true } = {}): Promise<RunningWorker> {
  const { host, port, maxConnections } = options
  const portOption = { host, port, portFlag: serveFlag('port') }
  await assertPortsFree([portOption])
  const log = createLogger(options.logLevel)
  await assertBrowserExists(options.browser)
  const closings: Closings = []
  try {
    const listeners: Listener[] = []
    const running = await start({ ...serviceOptionsOf(options, undefined), log, warm }, options, {
      listeners,
      closings,
    })
    // All connections come from fronts, or from the balancer before the workers.
    const limits = { maxConnections, maxConnectionsPerClient: maxConnections }
    const listener = await listen(running.service, { ...portOption, ...limits, plan: 'free', publicUrl: undefined })
    listeners.push(listener)
    return { ...running, worker: listener.url }
  } catch (error) {
    return closeAfterFailure(closings, error)
  }
}

/** Starts the service itself. Its caller adds the listeners, which `stop` closes first. */
async function start(
  serviceOptions: ServiceOptions,
  { drainDelay }: ServeOptions,
  { listeners, closings }: { listeners: Listener[]; closings: Closings },
): Promise<Running> {
  const service = createService(serviceOptions)
  closings.push(() => service.close())
  closings.push(() => closeListeners(listeners))
  await service.ready()
  return {
    service,
    async stop() {
      service.startDraining()
      for (const listener of listeners) listener.startDraining()
      await delay(drainDelay * 1_000)
      await closeAll(closings)
    },
  }
}

function portsOf(options: ServeOptions): PortOption[] {
  const { host, port, proPort, proHost, adminPort, demo, demoPort } = options
  return [
    { host, port, portFlag: serveFlag('port') },
    ...(proHost ? [] : [{ host, port: proPort, portFlag: serveFlag('proPort') }]),
    ...(adminPort === undefined ? [] : [{ host, port: adminPort, portFlag: serveFlag('adminPort') }]),
    ...(demo ? [{ host: DEMO_HOST, port: demoPort, portFlag: serveFlag('demoPort') }] : []),
  ]
}

/** The options of `createService`: most have the name of their flag, but a repeatable flag is named for one value. */
function serviceOptionsOf(options: ServeOptions, demo: DemoSite | undefined): ServiceOptions {
  return {
    ...options,
    // The user who tries the demo is warned instead; its own pages are harmless.
    allowUnsandboxed: options.allowUnsandboxed || (options.demo && isLoopback(options.host)),
    storeMaxBytes: options.storeMax,
    allowTargets: [...options.allowTarget, ...(demo ? [demo.host] : [])],
    denyTargets: options.denyTarget,
    denyHosts: options.deny,
    hasAdminPort: options.adminPort !== undefined,
    freeHistory: options.freeHistory || demo !== undefined,
    examples: demo?.examples,
  }
}

async function startDemo({ demo, demoPort }: ServeOptions, closings: Closings): Promise<DemoSite | undefined> {
  if (!demo) return undefined
  const { startDemoSite } = await import('./demo/index.js')
  const site = await startDemoSite({ port: demoPort })
  closings.push(() => site.close())
  return site
}

function warnOfPasswords({ exposedPasswords }: ServeOptions, log: Logger): void {
  for (const name of exposedPasswords)
    log.warn({ event: 'password-exposed', option: optionFlag(name) }, passwordAdvice(name))
}

/** Instances that share a cache are behind one address, where a request for a job reaches any of them. */
function warnOfOwnJobs({ redis, queue }: ServeOptions, log: Logger): void {
  if (redis === undefined || queue !== undefined) return
  const advice = `Jobs are stored in the data folder, and other instances do not find them. Set ${serveFlag('queue')} to share them.`
  log.warn({ event: 'jobs-not-shared' }, advice)
}

/** Adds each listener to `listeners` as soon as it runs, so that it can be stopped when the next one fails. */
async function listenOnBothHosts(
  service: Service,
  options: ServeOptions,
  listeners: Listener[],
): Promise<{ free: string; pro: string }> {
  const { host, port, proPort, proHost, publicUrl, proPublicUrl, maxConnections, trustProxy } = options
  // Behind a reverse proxy all connections come from its address, and the proxy has to limit its clients.
  const maxConnectionsPerClient = trustProxy > 0 ? maxConnections : options.maxConnectionsPerClient
  const listenAs = async (plan: Plan | undefined, port: number, publicUrl: string | undefined) => {
    const portFlag = serveFlag(plan === 'pro' ? 'proPort' : 'port')
    const listener = await listen(service, {
      host,
      port,
      portFlag,
      plan,
      publicUrl,
      maxConnections,
      maxConnectionsPerClient,
    })
    listeners.push(listener)
    return listener.url
  }
  const free = await listenAs(proHost ? undefined : 'free', port, publicUrl)
  const pro = proHost ? urlOnHost(free, proHost) : await listenAs('pro', proPort, proPublicUrl)
  return { free: publicUrl ?? free, pro: proPublicUrl ?? pro }
}

/** The URL of a listener by another name, which may have a port of its own. */
function urlOnHost(listenerUrl: string, host: string): string {
  const { port } = new URL(listenerUrl)
  const url = new URL(`http://${host}`)
  url.port ||= port
  return url.origin
}

async function listenForOperator(
  service: Service,
  { host, adminPort, maxConnections }: ServeOptions,
  listeners: Listener[],
): Promise<string | undefined> {
  if (adminPort === undefined) return undefined
  const listener = await listen(
    { fetch: (request, connection) => service.fetchAdmin(request, connection), cachedResponse: () => undefined },
    {
      host,
      port: adminPort,
      portFlag: serveFlag('adminPort'),
      plan: 'free',
      publicUrl: undefined,
      maxConnections,
      maxConnectionsPerClient: maxConnections,
    },
  )
  listeners.push(listener)
  return listener.url
}

async function closeListeners(listeners: Listener[]): Promise<void> {
  const deadline = setTimeout(() => listeners.forEach((listener) => listener.closeConnections()), MAX_DRAIN_MS)
  await Promise.all(listeners.map((listener) => listener.close()))
  clearTimeout(deadline)
}
