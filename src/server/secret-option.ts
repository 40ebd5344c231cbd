import { readFile } from 'node:fs/promises'
import { optionFlag, optionVariable } from '../command-line/index.js'

/** Enough for random text of at least 128 bits. */
export const MIN_SECRET_CHARS = 32

/** A secret that an operator sets: itself, or the file that contains it, which comes first. */
export interface SecretOption {
  /** Name of the option, whose file is the option with `File` at its end: `signingSecret`. */
  option: string
  /** What messages call it: `signing secret`. */
  name: string
  value: string | undefined
  file: string | undefined
}

/**
 * @returns  `undefined` if it is not set.
 * @throws   Error with a sentence for the operator, without the secret, when it cannot be read or is too short.
 */
export async function readSecretOption({ value, file, ...option }: SecretOption): Promise<string | undefined> {
  const { name } = option
  if (file !== undefined)
    return checkLength(await readSecretFile(file, option, (path) => readFile(path, 'utf8')), `${name} in ${file}`)
  return value === undefined ? undefined : checkLength(value, `${name} of ${optionVariable(option.option)}`)
}

/** @throws  Error with a sentence for the operator. */
export async function readSecretFile(
  path: string,
  { option, name }: Pick<SecretOption, 'option' | 'name'>,
  read: (path: string) => Promise<string>,
): Promise<string> {
  try {
    return await read(path)
  } catch (cause) {
    throw new Error(
      `The ${name} in ${path} cannot be read (${String(cause)}); make it readable to the user of the service, ` +
        `or set another with ${optionFlag(`${option}File`)}.`,
      { cause },
    )
  }
}

function checkLength(text: string, place: string): string {
  const secret = text.trim()
  if (secret.length >= MIN_SECRET_CHARS) return secret
  throw new Error(
    `The ${place} is shorter than ${MIN_SECRET_CHARS} characters; generate one with: openssl rand -base64 32`,
  )
}
