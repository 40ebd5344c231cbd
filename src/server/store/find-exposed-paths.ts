import { stat } from 'node:fs/promises'
import { hasErrorCode } from '../node-errors/index.js'
import { dataFiles } from './data-files.js'

/** The permissions of everybody but the owner. */
const GROUP_AND_OTHERS = 0o077

/**
 * The data folder and those of its files that other users can read or change, each with its mode: `/data (mode 755)`. There
 * are none on Windows, which has no modes.
 */
export async function findExposedPaths(dataDir: string): Promise<string[]> {
  if (process.platform === 'win32') return []
  const exposed: string[] = []
  for (const path of [dataDir, ...Object.values(dataFiles(dataDir))]) {
    const mode = await modeOf(path)
    if (mode !== undefined && mode & GROUP_AND_OTHERS) exposed.push(`${path} (mode ${(mode & 0o7777).toString(8)})`)
  }
  return exposed
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined
    throw error
  }
}
