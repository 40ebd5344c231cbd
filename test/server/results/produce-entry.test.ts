// Covers how an entry is produced in src/server/results/resolve-result.ts.
import { EventEmitter } from 'node:events'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createByteBudget } from '../../../src/server/budget/index.js'
import { errorCauses } from '../../../src/query/help/index.js'
import { errorCodes, parseQuery, PageError, type ErrorCode, type ParsedQuery } from '../../../src/query/index.js'
import type { Browser, Capture } from '../../../src/server/browser/index.js'
import { createHistories } from '../../../src/server/history/index.js'
import { createImages } from '../../../src/server/images/index.js'
import { createRevalidations, createSingleFlight, readFailure } from '../../../src/server/jobs/index.js'
import { createDispatcher, createGuard } from '../../../src/server/network/index.js'
import { createDocumentReader, createFetchQueue, createRobots } from '../../../src/server/page/index.js'
import { createProofFinder, createRemovedPages } from '../../../src/server/owners/index.js'
import { produceEntry } from '../../../src/server/results/resolve-result.js'
import { resultKey, type ExtractionResult } from '../../../src/server/results/extraction-result.js'
import { createStateCounter } from '../../../src/server/page-state/index.js'
import { createContentReader } from '../../../src/server/content/index.js'
import { createLocalExtractor, type ResultParts } from '../../../src/server/results/index.js'
import type { RequestScope } from '../../../src/server/request-scope.js'
import { openStore } from '../../../src/server/store/index.js'
import { localSite } from '../../local-site.js'
import { recordingLog } from '../../shared/recording-log.js'
import { requestScope } from '../request-scope.js'
import { temporaryDir } from '../store/temporary-dir.js'

/** Everything real but the captures of the browser. */
async function startParts(capture: Browser['capture']) {
  const site = await localSite({ '/': '<title>Page</title>' })
  const guard = createGuard({ allowTargets: [site.host] })
  const dispatcher = createDispatcher(guard)
  const documents = createDocumentReader()
  const images = createImages()
  const store = await openStore({
    dataDir: await temporaryDir(),
    maxBytes: 10_000_000,
    redis: undefined,
    redisPrefix: 'page-preview',
    s3: undefined,
    isAllowed: (allowance) => guard.isAllowed(allowance),
    clock: Date.now,
    onEvent: ({ event }) => expect.fail(event),
    onError: (error) => expect.fail(String(error)),
  })
  onTestFinished(async () => {
    await Promise.all([site.close(), dispatcher.destroy(), documents.close(), images.close(), store.close()])
  })
  const browser: Pick<Browser, 'capture'> = { capture }
  const finder = createProofFinder({ guard, dispatcher })
  const parts: ResultParts = {
    guard,
    histories: createHistories(store, images),
    removedPages: createRemovedPages(store, { finder, clock: Date.now }),
    extractor: createLocalExtractor({
      guard,
      dispatcher,
      robots: createRobots({ guard, dispatcher }),
      fetchQueue: createFetchQueue(),
      byteBudget: createByteBudget(),
      documents,
      browser: browser as Browser,
      images,
      contents: createContentReader(),
      stateCounter: createStateCounter(recordingLog().log),
    }),
    store,
    events: new EventEmitter(),
    flights: createSingleFlight(),
    revalidations: createRevalidations(),
    ownerOf: (client) => client,
    clock: Date.now,
  }
  return { parts, site, parsed: parseQuery({ url: `${site.url}/`, screenshot: true }) }
}

const produce = (scope: RequestScope, parts: ResultParts, knownCreatedAt?: number) =>
  produceEntry(resultKey(scope), scope, parts, knownCreatedAt)

async function rememberedFailure(parsed: ParsedQuery, { store }: ResultParts) {
  const failure = await readFailure(resultKey(requestScope(parsed)), store.entries)
  return failure && { code: failure.code, message: failure.message }
}

const captureOf = (url: string): Capture => ({
  url,
  statusCode: 200,
  state: undefined,
  optOut: undefined,
  isCutShort: false,
  isProvisional: false,
  warnings: [],
  timings: {},
  bytes: new Uint8Array(1),
  type: 'png',
  width: 1,
  height: 1,
  area: { x: 0, y: 0, width: 1, height: 1 },
  backgroundColor: '#000000',
  html: undefined,
  content: undefined,
})

const pageTimeout = new PageError('ETIMEOUT', 'The page did not respond.')

it.each([
  { error: new PageError('EBUSY', 'No browser.'), what: 'no browser is available', isCharged: false },
  { error: new PageError('EBRWSRTIMEOUT', 'Busy.'), what: 'its turn did not come in time', isCharged: false },
  {
    error: new PageError('EBRWSRTIMEOUT', 'Too little time.', { cause: pageTimeout }),
    what: 'it was opened late and timed out',
    isCharged: true,
  },
  { error: new PageError('EFATAL', 'The browser failed.'), what: 'its tab crashed twice', isCharged: true },
  { error: pageTimeout, what: 'it timed out', isCharged: true, isRemembered: true },
  { error: new PageError('EUNREACHABLE', 'Refused.'), what: 'it is down', isCharged: true, isRemembered: true },
])(
  'a page of which $what: charged $isCharged, remembered $isRemembered',
  async ({ error, isCharged, isRemembered }) => {
    const { parts, parsed } = await startParts(() => Promise.reject(error))
    let charges = 0
    const consumeQuota = async () => {
      charges++
      return async () => void charges--
    }
    const scope = requestScope(parsed, { consumeQuota })
    await expect(produce(scope, parts)).rejects.toBe(error)
    expect(charges).toBe(isCharged ? 1 : 0)
    const { code, message } = error
    expect(await rememberedFailure(parsed, parts)).toEqual(isRemembered ? { code, message } : undefined)
  },
)

describe('a failure of a request with a shorter timeout than the default', () => {
  // What a service refuses is never cached.
  const pageErrors = (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => errorCauses[code] === 'page' && !['EFORBIDDENURL', 'EREMOVED'].includes(code),
  )

  it.each(pageErrors)('is not cached, because a longer timeout may succeed: %s', async (code) => {
    const error = new PageError(code, 'It failed.')
    const { parts, parsed } = await startParts(() => Promise.reject(error))
    const attempt = (timeout: '1500ms' | '27999ms' | '28s') => {
      return produce(requestScope(parsed.with({ timeout })), parts)
    }
    for (const timeout of ['1500ms', '27999ms'] as const) {
      await expect(attempt(timeout)).rejects.toBe(error)
      expect(await rememberedFailure(parsed, parts)).toBeUndefined()
    }
    await expect(attempt('28s')).rejects.toBe(error)
    expect(await rememberedFailure(parsed, parts)).toEqual({ code, message: 'It failed.' })
  })

  it('does not fail a request with the default timeout that came while it ran', async () => {
    const attempts: { timeoutMs: number; fail: (error: PageError) => void }[] = []
    const { parts, parsed } = await startParts(
      ({ timeoutMs }) => new Promise((_, fail) => attempts.push({ timeoutMs, fail })),
    )
    const attempt = (client: string, timeout?: '2s') => {
      const scope = requestScope(parsed.with({ timeout }), { client })
      return produce(scope, parts).catch((error: unknown) => error)
    }
    const shortened = attempt('attacker', '2s')
    await expect.poll(() => attempts.length).toBe(1)
    const complete = attempt('innocent')
    const missing = new PageError('EELEMENT', 'The element is missing.')
    attempts[0]!.fail(missing)
    expect(await shortened).toBe(missing)
    await expect.poll(() => attempts.length).toBe(2)
    expect(attempts[0]!.timeoutMs).toBeLessThan(2_000)
    expect(attempts[1]!.timeoutMs).toBeGreaterThan(20_000)
    const refused = new PageError('EUNREACHABLE', 'Refused.')
    attempts[1]!.fail(refused)
    expect(await complete).toBe(refused)
  })
})

it('stores a result for a minute when others waited for the browser, and never over a complete one', async () => {
  let isProvisional = false
  const { parts, parsed } = await startParts(async ({ query }) => ({
    ...captureOf(query.url),
    isCutShort: isProvisional,
    isProvisional,
  }))
  const produceAfter = (knownCreatedAt?: number) => produce(requestScope(parsed), parts, knownCreatedAt)
  const lifeOf = ({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }) => expiresAt - createdAt
  isProvisional = true
  const provisional = await produceAfter()
  expect([provisional.body.isProvisional, lifeOf(provisional)]).toEqual([true, 60_000])
  isProvisional = false
  const complete = await produceAfter(provisional.createdAt)
  expect(lifeOf(complete)).toBe(86_400_000)
  isProvisional = true
  await produceAfter(complete.createdAt)
  expect(await parts.store.entries.readEntry(resultKey(requestScope(parsed)))).toMatchObject({
    createdAt: complete.createdAt,
  })
})

it('lets a request that may replace a better result do so, although it joined one that may not', async () => {
  const captures: (() => void)[] = []
  let statusCode = 200
  const { parts, parsed, site } = await startParts(async ({ query }) => {
    if (statusCode !== 200) await new Promise<void>((resolve) => captures.push(resolve))
    return { ...captureOf(query.url), statusCode }
  })
  const forced = requestScope(parsed.with({ force: true }), { client: 'b', mayReplaceBetter: true })
  const good = await produce(requestScope(parsed), parts)
  statusCode = 500
  site.routes['/'] = (_, response) =>
    void response.writeHead(500, { 'content-type': 'text/html' }).end('<title>Down</title>')
  const starter = produce(requestScope(parsed), parts, good.createdAt)
  await expect.poll(() => captures.length).toBe(1)
  const joiner = produce(forced, parts, good.createdAt)
  captures[0]!()
  expect((await starter).body.statusCode).toBe(500)
  const stored = () => parts.store.entries.readEntry<ExtractionResult>(resultKey(forced))
  expect((await stored())?.body.statusCode).toBe(200)
  await expect.poll(() => captures.length).toBe(2)
  captures[1]!()
  expect((await joiner).body.statusCode).toBe(500)
  expect(await stored()).toMatchObject({ createdAt: (await joiner).createdAt })
})
