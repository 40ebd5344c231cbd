import { ensureDataDir, openStore } from '../store/index.js'
import type { CommandEnvironment } from './command-environment.js'
import { readPurgeCommand } from './read-purge-command.js'

/**
 * Purges results from a store, whether services run on it or not; those that run follow within a second.
 *
 * @returns  0.
 * @throws   {UsageError}; Error with a sentence when the store cannot be used.
 */
export async function runPurge(args: readonly string[], { env, stderr }: CommandEnvironment): Promise<number> {
  const { target, dataDir, redis, redisPrefix, s3 } = readPurgeCommand(args, env)
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
    const { entries, images } = await store.purge(target)
    stderr.write(`Purged ${entries} cache entries and ${images} images.\n`)
    return 0
  } finally {
    await store.close()
  }
}
