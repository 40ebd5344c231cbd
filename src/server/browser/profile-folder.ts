import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'page-preview-browser-'

/** Makes a new folder for a browser's profile, and removes those of services that were killed before they could. */
export async function createProfileFolder(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const [, owner] = /^page-preview-browser-(\d+)-/.exec(name) ?? []
    if (owner && !isAlive(Number(owner))) await removeProfileFolder(join(tmpdir(), name))
  }
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`))
}

/** Never rejects: what cannot be removed now is tried again with the next start. */
export async function removeProfileFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
