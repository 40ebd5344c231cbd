import { readFile } from 'node:fs/promises'
import { platform } from 'node:os'
import { SandboxError } from './sandbox-error.js'

/** The unprivileged user that runs the browser where the service runs as root. */
export interface BrowserUser {
  name: string
  uid: number
  gid: number
}

const DEFAULT_USER = 'nobody'

/**
 * Looks up the user that the browser runs as, since Chromium has no sandbox as root.
 *
 * @param name  Default: `nobody`.
 * @returns     `undefined` where the service does not run as root: the browser then runs as the same user.
 * @throws      {SandboxError} when there is no such user, or when it is root.
 */
export async function findBrowserUser(name: string = DEFAULT_USER): Promise<BrowserUser | undefined> {
  if (platform() !== 'linux' || process.getuid?.() !== 0) return undefined
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = accounts.find(([each]) => each === name) ?? []
  if (!Number(uid))
    throw new SandboxError(`the service runs as root, and this machine has no unprivileged user ${name}`, {
      remedy: 'Set --browser-user to an unprivileged user, or run the service as one',
    })
  return { name, uid: Number(uid), gid: Number(gid) }
}
