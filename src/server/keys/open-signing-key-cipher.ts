import { readFile } from 'node:fs/promises'
import { optionFlag, optionVariable } from '../serve-options.js'
import { dataFiles } from '../store/index.js'
import { ensureSigningSecret } from './ensure-signing-secret.js'
import { createSigningKeyCipher, type SigningKeyCipher } from './signing-key-cipher.js'

/** The secret that encrypts signing keys; every instance on the same Redis has the same one. */
export interface SigningSecretOptions {
  /** At least 32 characters. Default: a file `signing-secret` that is generated in the data folder; with Redis, none. */
  signingSecret?: string | undefined
  /** Path of a file that contains the secret; `signingSecret` is ignored then. */
  signingSecretFile?: string | undefined
}

const MIN_CHARS = 32

/**
 * Reads the signing secret.
 *
 * @param dataDir  Folder of the keys, which exists; `undefined` when they are in Redis.
 * @returns        `undefined` when the keys are in Redis and no secret is set.
 * @throws         Error with a sentence for the operator, without the secret, when it cannot be read or is too short.
 */
export async function openSigningKeyCipher(
  { signingSecret, signingSecretFile }: SigningSecretOptions,
  dataDir: string | undefined,
): Promise<SigningKeyCipher | undefined> {
  if (signingSecretFile !== undefined) {
    const secret = await readSecret(signingSecretFile, (path) => readFile(path, 'utf8'))
    return createSigningKeyCipher(checkLength(secret, `in ${signingSecretFile}`))
  }
  if (signingSecret !== undefined)
    return createSigningKeyCipher(checkLength(signingSecret, `of ${optionVariable('signingSecret')}`))
  if (dataDir === undefined) return undefined
  const path = dataFiles(dataDir).signingSecret
  return createSigningKeyCipher(checkLength(await readSecret(path, ensureSigningSecret), `in ${path}`))
}

async function readSecret(path: string, read: (path: string) => Promise<string>): Promise<string> {
  try {
    return await read(path)
  } catch (cause) {
    throw new Error(
      `The signing secret in ${path} cannot be read (${String(cause)}); make it readable to the user of the service, ` +
        `or set another with ${optionFlag('signingSecretFile')}.`,
      { cause },
    )
  }
}

function checkLength(text: string, place: string): string {
  const secret = text.trim()
  if (secret.length >= MIN_CHARS) return secret
  throw new Error(
    `The signing secret ${place} is shorter than ${MIN_CHARS} characters; generate one with: openssl rand -base64 32`,
  )
}
