import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { parseApiKey, type ApiKeyRecord } from '../store/index.js'

/** Largest size of a file that is imported. */
const MAX_BYTES = 64_000_000

/** API keys as text: one JSON object a line. Signing keys stay encrypted, and secrets are not in it. */
export const keysAsText = (records: readonly ApiKeyRecord[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('')

/** Writes API keys into a file that only its owner can read; an existing file is replaced at once. */
export async function writeKeyFile(path: string, records: readonly ApiKeyRecord[]): Promise<void> {
  const temporaryPath = `${path}.${randomUUID()}`
  try {
    await writeFile(temporaryPath, keysAsText(records), { flag: 'wx', mode: 0o600, flush: true })
    await rename(temporaryPath, path)
  } catch (cause) {
    await rm(temporaryPath, { force: true })
    throw new Error(`The file ${path} cannot be written (${String(cause)}).`, { cause })
  }
}

/** @throws  Error with a sentence that names the invalid line; then none is returned. */
export async function readKeyFile(path: string): Promise<ApiKeyRecord[]> {
  const lines = (await readText(path)).split('\n')
  return lines.flatMap((line, index) => {
    if (!line.trim()) return []
    const record = parseApiKey(line)
    if (record) return [record]
    throw new Error(
      `Line ${index + 1} of ${path} is not an API key; nothing was imported. Import a file that keys export wrote.`,
    )
  })
}

async function readText(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new Error(`The file ${path} cannot be read (${String(cause)}).`, { cause })
  }
}
