// The current stable `chrome-headless-shell`, from Google or from a mirror: which version it is, and its archive.
import { canParseUrl } from '../../query/written-url.js'
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { arch } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Browser, BrowserPlatform, detectBrowserPlatform, getDownloadUrl } from '@puppeteer/browsers'
import { EnvHttpProxyAgent, request, type Dispatcher } from 'undici'
import { withinTime } from './abortable.js'
import type { LogEvent } from '../log.js'
import { isOwnerRunning, ownerName } from './process-owner.js'

/** A build for this machine. */
export interface ChromiumRelease {
  version: string
  platform: BrowserPlatform
  archive: URL
}

interface DownloadOptions {
  /** See `serveOptions.browserMirror`. Default: Google. */
  mirror?: string | undefined
  log?: LogEvent | undefined
  signal: AbortSignal
}

const VERSION_LIST_FOLDER = 'https://googlechromelabs.github.io/chrome-for-testing'
const VERSION_LIST = 'last-known-good-versions.json'
const MAX_VERSION_LIST_BYTES = 1_000_000
/** Short, because a machine without the internet waits for it before it uses the npm package. */
const VERSION_LIST_TIMEOUT_MS = 8_000
const CONNECT_TIMEOUT_MS = 5_000
/** Without a byte. */
const IDLE_TIMEOUT_MS = 30_000
const DOWNLOAD_TIMEOUT_MS = 1_800_000
/** Four times the largest archive so far. */
const MAX_ARCHIVE_BYTES = 500_000_000
const MAX_REDIRECTS = 5

/**
 * Looks up the current stable version.
 *
 * @throws  {Error} when the list cannot be read within 8 seconds, or there is no build for this machine.
 */
export async function findStableRelease({ mirror, signal }: DownloadOptions): Promise<ChromiumRelease> {
  const platform = detectBrowserPlatform()
  if (platform === undefined) throw new Error('there is no chrome-headless-shell for this platform')
  const list = new URL(`${mirror ?? VERSION_LIST_FOLDER}/${VERSION_LIST}`)
  const version = await withConnection(async (dispatcher) => {
    const stop = new AbortController()
    const reading = readText(list, { dispatcher, signal: AbortSignal.any([stop.signal, signal]) })
    const text = await withinTime(reading, { timeoutMs: VERSION_LIST_TIMEOUT_MS, signal }).finally(() => stop.abort())
    return stableVersionIn(text)
  }).catch((cause: unknown) => {
    signal.throwIfAborted()
    throw new Error(`${list.href} cannot be read: ${reasonOf(cause)}`, { cause })
  })
  const archive = getDownloadUrl(Browser.CHROMEHEADLESSSHELL, platform, version, mirror)
  // Of early versions there is none for this processor, and the library then names the one for another.
  if (platform === BrowserPlatform.LINUX_ARM && !archive.pathname.includes('arm64'))
    throw new Error(`there is no chrome-headless-shell ${version} for linux-${arch()}`)
  return { version, platform, archive }
}

function stableVersionIn(text: string): string {
  const list = JSON.parse(text) as { channels?: { Stable?: { version?: unknown } } } | null
  const version = list?.channels?.Stable?.version
  if (typeof version === 'string' && /^\d{1,4}(\.\d{1,6}){3}$/.test(version)) return version
  throw new Error('it names no stable version')
}

async function readText(url: URL, connection: Connection): Promise<string> {
  const { body } = await requestFollowing(url, {}, connection)
  let text = ''
  body.setEncoding('utf8')
  for await (const chunk of body) {
    text += String(chunk)
    if (text.length > MAX_VERSION_LIST_BYTES) throw new Error('it is too long')
  }
  return text
}

/** Requests go through the proxy that the environment names, as those of npm do. */
async function withConnection<Result>(task: (dispatcher: Dispatcher) => Promise<Result>): Promise<Result> {
  const dispatcher = new EnvHttpProxyAgent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
  })
  try {
    return await task(dispatcher)
  } finally {
    await dispatcher.destroy()
  }
}

interface Connection {
  dispatcher: Dispatcher
  signal: AbortSignal
}

/** @throws {Error} for any other status than 200 and 206, and for a redirect from https to http. */
async function requestFollowing(
  first: URL,
  headers: Record<string, string>,
  connection: Connection,
): Promise<Dispatcher.ResponseData> {
  let url = first
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await request(url, { ...connection, headers })
    const { statusCode, body, headers: received } = response
    if (statusCode === 200 || statusCode === 206) return response
    body.on('error', () => undefined).destroy()
    const location = [301, 302, 303, 307, 308].includes(statusCode) ? [received.location ?? ''].flat()[0] : undefined
    if (!location) throw new StatusError(url, statusCode)
    url = redirectTarget(location, url, first)
  }
  throw new Error(`it redirects more than ${MAX_REDIRECTS} times`)
}

/**
 * @param from   The URL that redirects.
 * @param first  The URL that was requested first: only a mirror without https may redirect to a URL without https.
 * @throws       {Error} for another target, or none.
 */
export function redirectTarget(location: string, from: URL, first: URL): URL {
  const target = canParseUrl(location, from.href) ? new URL(location, from) : undefined
  const isAllowed = target?.protocol === 'https:' || (target?.protocol === 'http:' && first.protocol === 'http:')
  if (target && isAllowed) return target
  throw new Error(`it redirects to ${target ? `${target.protocol}//${target.host}` : 'no URL'}, which is not https`)
}

class StatusError extends Error {
  constructor(
    url: URL,
    readonly statusCode: number,
  ) {
    super(`${url.host} responds with ${statusCode}`)
  }
}

/** A download that was interrupted is continued this often as long as it progresses. */
const MAX_RESUMPTIONS = 20
const RESUMPTION_PAUSE_MS = 1_000

/**
 * Downloads the archive of a release, and continues where an earlier download of it was interrupted, in this process or in another
 * one.
 *
 * @param folder  Of unfinished downloads; those of other releases are removed.
 * @returns       The file, of the expected size and, if the server tells it, with the expected hash; and whether a part of it was
 *                downloaded earlier.
 */
export async function downloadArchive(
  { archive, version, platform }: ChromiumRelease,
  folder: string,
  { log, signal }: DownloadOptions,
): Promise<{ file: string; wasResumed: boolean }> {
  const name = `${version}-${platform}.zip`
  const file = await takeOverUnfinished(folder, name)
  const report = progressReporter(version, log)
  const stop = new AbortController()
  try {
    return await withConnection(async (dispatcher) => {
      const connection = { dispatcher, signal: AbortSignal.any([stop.signal, signal]) }
      const wasResumed = (await sizeOf(file)) > 0
      const downloading = downloadResuming(archive, file, { ...connection, report })
      const { hash } = await withinTime(downloading, { timeoutMs: DOWNLOAD_TIMEOUT_MS, signal })
      if (hash !== undefined && hash !== (await hashOf(file, signal))) {
        await rm(file, { force: true })
        throw new DamagedArchiveError(`${archive.href} does not have the hash that ${archive.host} states`, {
          wasResumed,
        })
      }
      return { file, wasResumed }
    })
  } catch (cause) {
    stop.abort()
    if (hasFullDisk(cause)) await rm(file, { force: true })
    // The next download continues it.
    else await rename(file, join(folder, `${name}_`)).catch(() => undefined)
    signal.throwIfAborted()
    if (cause instanceof DamagedArchiveError) throw cause
    throw new Error(`${archive.href} cannot be downloaded: ${reasonOf(cause)}`, { cause })
  }
}

/** What was downloaded is not what its server says that it is. */
export class DamagedArchiveError extends Error {
  override readonly name = 'DamagedArchiveError'
  /** Whether a part of it was downloaded earlier. */
  readonly wasResumed: boolean
  constructor(message: string, { wasResumed, cause }: { wasResumed: boolean; cause?: unknown }) {
    super(message, { cause })
    this.wasResumed = wasResumed
  }
}

/** Names a file for this download: a new one, or one that nobody works on any more. */
async function takeOverUnfinished(folder: string, name: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${name}_${await ownerName()}_${Math.random().toString(36).slice(2, 8)}`)
  for (const each of await readdir(folder)) {
    const [of = '', owner] = each.split('_', 2)
    if (!of.endsWith('.zip') || owner === undefined || (await isOwnerRunning(owner))) continue
    // Only one process succeeds.
    if (of === name) await rename(join(folder, each), file).catch(() => undefined)
    else await rm(join(folder, each), { force: true })
  }
  return file
}

type Report = (receivedBytes: number, totalBytes: number) => void

/** @returns  The hash of the whole file as its server states it; `undefined` if it states none. */
async function downloadResuming(
  archive: URL,
  file: string,
  { report, ...connection }: Connection & { report: Report },
): Promise<{ hash: string | undefined }> {
  for (let interruptions = 0; ; interruptions++) {
    const sizeBefore = await sizeOf(file)
    try {
      return await downloadRest(archive, file, { ...connection, report })
    } catch (error) {
      connection.signal.throwIfAborted()
      const hasProgressed = (await sizeOf(file)) > sizeBefore
      if (!hasProgressed || interruptions >= MAX_RESUMPTIONS || hasFullDisk(error)) throw error
      await sleep(RESUMPTION_PAUSE_MS, undefined, { signal: connection.signal })
    }
  }
}

const hasFullDisk = (error: unknown) => /ENOSPC|EDQUOT/.test(String(error))

async function downloadRest(
  archive: URL,
  file: string,
  { report, ...connection }: Connection & { report: Report },
): Promise<{ hash: string | undefined }> {
  const offset = await sizeOf(file)
  const response = await requestRest(archive, offset, connection)
  const { statusCode, headers, body } = response
  // A server may ignore the range and send the whole file.
  const start = statusCode === 206 ? offset : 0
  const total = totalOf(response, start)
  let received = start
  async function* counted() {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length
      if (received > (total ?? MAX_ARCHIVE_BYTES))
        throw new Error(`it is larger than ${total ?? MAX_ARCHIVE_BYTES} bytes`)
      report(received, total ?? 0)
      yield chunk
    }
  }
  await pipeline(counted, createWriteStream(file, { flags: start > 0 ? 'a' : 'w' }), { signal: connection.signal })
  if (total !== undefined && received !== total) throw new Error(`${received} of ${total} bytes were received`)
  // https://cloud.google.com/storage/docs/xml-api/reference-headers#xgooghash
  const hash = /\bmd5=([\w+/]+=*)/.exec([headers['x-goog-hash'] ?? []].flat().join())?.[1]
  return { hash }
}

async function requestRest(archive: URL, offset: number, connection: Connection): Promise<Dispatcher.ResponseData> {
  if (offset === 0) return requestFollowing(archive, {}, connection)
  try {
    const response = await requestFollowing(archive, { range: `bytes=${offset}-` }, connection)
    const isRest = response.statusCode === 200 || contentRange(response)?.start === offset
    if (isRest) return response
    response.body.on('error', () => undefined).destroy()
  } catch (error) {
    // What is there is no beginning of the file: it is complete already, or too long.
    if (!(error instanceof StatusError && error.statusCode === 416)) throw error
  }
  return requestFollowing(archive, {}, connection)
}

function contentRange({ headers }: Dispatcher.ResponseData): { start: number; total: number } | undefined {
  const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(String(headers['content-range'])) ?? []
  return start === undefined ? undefined : { start: Number(start), total: Number(total) }
}

function totalOf(response: Dispatcher.ResponseData, start: number): number | undefined {
  const length = Number(response.headers['content-length'])
  const total = start > 0 ? contentRange(response)?.total : length > 0 ? length : undefined
  if (total !== undefined && total > MAX_ARCHIVE_BYTES) throw new Error(`it has ${total} bytes, which is too many`)
  return total
}

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  )

async function hashOf(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('md5')
  await pipeline(createReadStream(file), hash, { signal })
  return hash.digest('base64')
}

const REPORTED_STEPS = 20

/** Logs each twentieth of the download. */
function progressReporter(version: string, log: LogEvent | undefined): Report {
  let reported = -1
  return (receivedBytes, totalBytes) => {
    const step = totalBytes > 0 ? Math.floor((receivedBytes / totalBytes) * REPORTED_STEPS) : 0
    if (step === reported) return
    reported = step
    log?.({ event: 'chromium-downloading', version, receivedBytes, totalBytes })
  }
}

/** Errors of connections have their reason in their cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const causes = error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : ''
  return error.message || causes || ('code' in error ? String(error.code) : error.name)
}
