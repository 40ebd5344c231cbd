import { createHash } from 'node:crypto'
import type { CardRequest } from '../markup/index.js'

/** The key of a request in the lock file; images as wide as their column need files that cards do not. */
export const lockKeyOf = ({ key, layout }: Pick<CardRequest, 'key' | 'layout'>): string =>
  withoutHeaders(layout === 'image' ? `${key}&layout=image` : key)

const HEADER = 'headers.'

/** The lock file is public, and headers may be credentials, so it contains hashes of their values. */
function withoutHeaders(key: string): string {
  if (!key.includes(HEADER)) return key
  const parameters = new URLSearchParams(key)
  for (const [name, value] of parameters)
    if (name.startsWith(HEADER)) parameters.set(name, createHash('sha256').update(value).digest('hex').slice(0, 16))
  return String(parameters)
}
