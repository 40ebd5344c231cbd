import { startImageProcess } from './start-image-process.js'

/** An unprivileged user that runs image processes. */
export interface ImageUser {
  name: string
  uid: number
  gid: number
}

export interface FindImageUserOptions {
  /** Called when the processes have to run as root after all. */
  warn: (event: { event: string; user: string; reason: string; advice: string }) => void
  /** Whether image processes work as this user; replaced in tests. */
  tryUser?: (user: ImageUser) => Promise<void>
}

const TRY_TIMEOUT_MS = 10_000
const MAX_RSS_BYTES = 500_000_000
const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/**
 * Finds out whether image processes can run as a user, which must be able to execute Node and to read the service.
 *
 * @param user  `undefined` where the service is not root.
 * @returns     The user; `undefined` when the processes run as the user of the service.
 */
export async function findImageUser(
  user: ImageUser | undefined,
  { warn, tryUser = tryOnce }: FindImageUserOptions,
): Promise<ImageUser | undefined> {
  if (!user) return undefined
  try {
    await tryUser(user)
    return user
  } catch (error) {
    warn({
      event: 'image-processes-as-root',
      user: user.name,
      reason: String(error),
      advice: `install Node and the service where ${user.name} can read them, or run the service as an unprivileged user`,
    })
    return undefined
  }
}

const tried = new Map<number, Promise<void>>()

/** What a user can execute and read stays the same while this process runs; a failure may be due to the load of the machine. */
async function tryOnce(user: ImageUser): Promise<void> {
  const attempt = tried.get(user.uid) ?? tryProcess(user)
  tried.set(user.uid, attempt)
  try {
    await attempt
  } catch (error) {
    tried.delete(user.uid)
    throw error
  }
}

async function tryProcess(user: ImageUser): Promise<void> {
  const process = startImageProcess({ maxRssBytes: MAX_RSS_BYTES, user, isQuiet: true })
  try {
    await process.run({ task: 'measureImage', args: [ONE_PIXEL] }, AbortSignal.timeout(TRY_TIMEOUT_MS))
  } finally {
    await process.end()
  }
}
