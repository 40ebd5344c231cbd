import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { hasErrorCode } from '../node-errors/index.js'

/**
 * Reads the signing secret of a data folder, and generates it when there is none. Every process has the same one, because a
 * link appears at once with its whole content and never replaces a file.
 *
 * @throws  the error of the file system.
 */
export async function ensureSigningSecret(path: string): Promise<string> {
  return (await readIfExists(path)) ?? generate(path)
}

async function generate(path: string): Promise<string> {
  const temporaryPath = `${path}.${randomUUID()}`
  try {
    await writeSynced(temporaryPath, `${randomBytes(32).toString('base64url')}\n`)
    await link(temporaryPath, path).catch(unlessCode('EEXIST'))
  } finally {
    await rm(temporaryPath, { force: true })
  }
  return readFile(path, 'utf8')
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

const readIfExists = (path: string) => readFile(path, 'utf8').catch(unlessCode('ENOENT'))

const unlessCode = (code: string) => (error: unknown) => {
  if (hasErrorCode(error, code)) return undefined
  throw error
}
