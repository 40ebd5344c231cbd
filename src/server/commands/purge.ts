import { defineCommand, UsageError } from '../../command-line/index.js'
import { isPageError } from '../../query/index.js'
import { serveOptions, storeOptions } from '../serve-options.js'
import { ensureDataDir, openStore, parsePurgeTarget } from '../store/index.js'

/** Purges results from a store, whether services run on it or not. Running services notice within a second. */
export const purgeCommand = defineCommand({
  description:
    'Deletes cached results with their images, also from services that run on the same store: they follow within a second.',
  usage: [
    ['page-preview-server purge URL', 'the page at this URL, with all parameters'],
    ['page-preview-server purge HOST', 'all pages of a host and its subdomains'],
    ['page-preview-server purge --all', 'everything but keys, counters and jobs'],
  ],
  options: {
    all: { help: 'purge all pages' },
    ...storeOptions,
    s3: { ...serveOptions.s3, placeholder: 'URL', help: 'as in serve; its credentials must be allowed to delete' },
  },

  async run({ values: { all, dataDir, redis, redisPrefix, s3 }, operands }, { stderr }) {
    const target = readTarget(operands, all)
    const report = (reason: unknown) => stderr.write(`page-preview-server: ${String(reason)}\n`)
    const store = await openStore({
      dataDir: await ensureDataDir(dataDir),
      // Opening a store evicts what exceeds its limit, and only the service knows it.
      maxBytes: Infinity,
      redis,
      redisPrefix,
      s3,
      clock: Date.now,
      onEvent: ({ event, reason }) => report([event, reason].filter(Boolean).join(': ')),
      onError: report,
    })
    try {
      const { entries, images } = await store.purges.purge(target)
      stderr.write(`Purged ${entries} cache entries and ${images} images.\n`)
      return 0
    } finally {
      await store.close()
    }
  },
})

function readTarget([target, ...others]: readonly string[], all: boolean) {
  if (others.length > 0) throw new UsageError('Pass one URL or one host: page-preview-server purge URL.')
  try {
    return parsePurgeTarget(target?.includes('://') ? { url: target, all } : { host: target, all })
  } catch (error) {
    throw isPageError(error) ? new UsageError(error.message, { cause: error }) : error
  }
}
