import { expect, it, onTestFinished } from 'vitest'
import { parseQuery, PageError } from '../../../src/query/index.js'
import type { Browser } from '../../../src/server/browser/index.js'
import { createImages } from '../../../src/server/images/index.js'
import { createNegativeCache, createSingleFlight } from '../../../src/server/jobs/index.js'
import { createDispatcher, createGuard } from '../../../src/server/network/index.js'
import { createDocumentReader, createFetchQueue } from '../../../src/server/page/index.js'
import type { EntryContext } from '../../../src/server/results/produce-entry.js'
import { produceEntry } from '../../../src/server/results/produce-entry.js'
import { createStateCounter } from '../../../src/server/results/index.js'
import { resultKey } from '../../../src/server/results/result-key.js'
import { openLocalStore } from '../../../src/server/store/index.js'
import { withPurges } from '../../../src/server/store/purge/with-purges.js'
import { localSite } from '../../local-site.js'
import { recordingLog } from '../../shared/recording-log.js'
import { temporaryDir } from '../store/temporary-dir.js'

/** Everything real but the browser, whose captures fail. */
async function startContext(failure: PageError) {
  const site = await localSite({ '/': '<title>Page</title>' })
  const guard = createGuard({ allowTargets: [site.host] })
  const dispatcher = createDispatcher(guard)
  const documents = createDocumentReader()
  const images = createImages()
  const local = await openLocalStore({ dataDir: await temporaryDir(), maxBytes: 10_000_000 })
  const store = await withPurges(local, { onError: (error) => expect.fail(String(error)) })
  onTestFinished(async () => {
    await Promise.all([site.close(), dispatcher.destroy(), documents.close(), images.close(), store.close()])
  })
  const browser: Pick<Browser, 'capture'> = { capture: () => Promise.reject(failure) }
  const context: EntryContext = {
    guard,
    dispatcher,
    fetchQueue: createFetchQueue(),
    documents,
    browser: browser as Browser,
    images,
    store,
    flights: createSingleFlight(),
    failures: createNegativeCache(),
    clock: Date.now,
    stateCounter: createStateCounter(recordingLog().log),
  }
  return { context, parsed: parseQuery({ url: `${site.url}/`, screenshot: true }) }
}

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
    const { context, parsed } = await startContext(error)
    let charges = 0
    const consumeQuota = async () => {
      charges++
      return async () => void charges--
    }
    const { signal } = new AbortController()
    const request = { parsed, knownCreatedAt: undefined, client: 'a', signal, consumeQuota }
    await expect(produceEntry(request, context)).rejects.toBe(error)
    expect(charges).toBe(isCharged ? 1 : 0)
    expect(context.failures.get(resultKey(parsed, undefined))).toBe(isRemembered ? error : undefined)
  },
)
