import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { ignoreCodes } from '../node-errors.js'
import { MIN_SECRET_CHARS, readSecretFile, readSecretOption } from '../secret-option.js'
import { dataFiles } from '../store/index.js'

/** Encrypts the signing keys of API keys, so that the key store alone does not allow signing requests. */
export interface SigningKeyCipher {
  /** @returns  `v1.` and the base64url of IV, encrypted bytes and authentication tag. */
  encrypt(signingKey: Uint8Array, keyId: string): string
  /** @returns  `undefined` for a text that was not encrypted with the same signing secret for the same key. */
  decrypt(text: string, keyId: string): Buffer | undefined
}

/** The secret that encrypts signing keys; every instance on the same Redis has the same one. */
export interface SigningSecretOptions {
  /** At least 32 characters. Default: a file `signing-secret` that is generated in the data folder; with Redis, none. */
  signingSecret?: string | undefined
  /** Path of a file that contains the secret; `signingSecret` is ignored then. */
  signingSecretFile?: string | undefined
}

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 'v1.'
const PURPOSE = 'page-preview signing keys'

/** The file with the generated secret was cut or emptied. All but signed URLs works without it. */
export class DamagedSigningSecretError extends Error {
  override readonly name = 'DamagedSigningSecretError'
  constructor(path: string) {
    super(
      `The signing secret in ${path} is damaged: it is shorter than ${MIN_SECRET_CHARS} characters. Signed URLs are refused with ` +
        '503 until the file is restored from a backup and the service started again. Without a backup, remove the file, ' +
        'start the service, and create the keys that sign URLs again.',
    )
  }
}

/**
 * Reads the signing secret.
 *
 * @param dataDir  Folder of the keys, which exists; `undefined` when they are in Redis.
 * @returns        `undefined` when the keys are in Redis and no secret is set.
 * @throws         Error with a sentence for the operator, without the secret, when it cannot be read or is too short;
 *                 `DamagedSigningSecretError` when that is the generated one.
 */
export async function openSigningKeyCipher(
  { signingSecret, signingSecretFile }: SigningSecretOptions,
  dataDir: string | undefined,
): Promise<SigningKeyCipher | undefined> {
  const option = { option: 'signingSecret', name: 'signing secret' }
  const set = await readSecretOption({ ...option, value: signingSecret, file: signingSecretFile })
  if (set !== undefined) return createSigningKeyCipher(set)
  if (dataDir === undefined) return undefined
  const path = dataFiles(dataDir).signingSecret
  const secret = (await readSecretFile(path, option, ensureSigningSecret)).trim()
  if (secret.length < MIN_SECRET_CHARS) throw new DamagedSigningSecretError(path)
  return createSigningKeyCipher(secret)
}

/**
 * Reads the signing secret of a data folder, and generates it when there is none. Every process has the same one, because a
 * link appears at once with its whole content and never replaces a file.
 *
 * @throws  the error of the file system.
 */
async function ensureSigningSecret(path: string): Promise<string> {
  return (await readIfExists(path)) ?? generate(path)
}

async function generate(path: string): Promise<string> {
  const temporaryPath = `${path}.${randomUUID()}`
  try {
    const secret = `${randomBytes(32).toString('base64url')}\n`
    await writeFile(temporaryPath, secret, { flag: 'wx', mode: 0o600, flush: true })
    await link(temporaryPath, path).catch(ignoreCodes('EEXIST'))
  } finally {
    await rm(temporaryPath, { force: true })
  }
  return readFile(path, 'utf8')
}

const readIfExists = (path: string) => readFile(path, 'utf8').catch(ignoreCodes('ENOENT'))

/** @param signingSecret  Random text of at least 128 bits. */
export function createSigningKeyCipher(signingSecret: string): SigningKeyCipher {
  const key = Buffer.from(hkdfSync('sha256', signingSecret, '', PURPOSE, KEY_BYTES))
  return {
    encrypt(signingKey, keyId) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(keyId))
      const encrypted = Buffer.concat([iv, cipher.update(signingKey), cipher.final(), cipher.getAuthTag()])
      return VERSION + encrypted.toString('base64url')
    },
    decrypt(text, keyId) {
      const bytes = Buffer.from(text.slice(VERSION.length), 'base64url')
      if (!text.startsWith(VERSION) || bytes.length < IV_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(keyId)).setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        return undefined
      }
    },
  }
}
