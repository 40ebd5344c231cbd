import { canParseUrl } from '../query/written-url.js'
import { readFileSync, statSync } from 'node:fs'

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

const MAX_BYTES = 65_536

/**
 * Reads a secret from the file whose path is in the variable `NAME_FILE`, or else from `NAME`. Prefer the file: other users can see the
 * arguments of a process, and its own children its variables.
 *
 * @returns  The secret without surrounding white space; `undefined` if neither variable is set.
 * @throws   {Error} whose message is a sentence for the operator without its full stop, when the file is missing, empty or
 *           too long.
 */
export function readSecret(variable: string, env: Environment): string | undefined {
  const path = env[secretFileVariable(variable)]
  if (!path) return env[variable] || undefined
  const secret = readSmallFile(path, variable).trim()
  if (!secret) throw fileError(variable, path, 'is empty')
  return secret
}

/** @returns  `PAGE_PREVIEW_REDIS_FILE` for `PAGE_PREVIEW_REDIS`. */
export const secretFileVariable = (variable: string): string => `${variable}_FILE`

/** Whether a text is a URL with a password. */
export const hasPassword = (text: string): boolean => canParseUrl(text) && new URL(text).password !== ''

function readSmallFile(path: string, variable: string): string {
  let size: number
  try {
    size = statSync(path).size
    if (size <= MAX_BYTES) return readFileSync(path, 'utf8')
  } catch (cause) {
    throw fileError(variable, path, `cannot be read (${(cause as NodeJS.ErrnoException).code ?? String(cause)})`, cause)
  }
  throw fileError(variable, path, `is longer than ${MAX_BYTES} bytes`)
}

const fileError = (variable: string, path: string, problem: string, cause?: unknown) =>
  new Error(
    `${secretFileVariable(variable)} points to ${path}, which ${problem}; put the secret in that file and make it readable by the user of the service`,
    { cause },
  )
