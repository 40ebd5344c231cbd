import { randomBytes } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  createSigningKeyCipher,
  DamagedSigningSecretError,
  openSigningKeyCipher,
  type SigningSecretOptions,
} from '../../../src/server/keys/signing-key-cipher.js'
import { temporaryDir } from '../store/temporary-dir.js'

const SIGNING_KEY = Buffer.alloc(32, 7)
const SECRET = 'the secret of an operator, 32 characters or more'
const SHORT = 'hush-hush-hush'

async function canDecrypt(own: SigningSecretOptions, other: SigningSecretOptions, dataDir?: string): Promise<boolean> {
  const [encrypting, decrypting] = [
    await openSigningKeyCipher(own, dataDir),
    await openSigningKeyCipher(other, dataDir),
  ]
  return decrypting!.decrypt(encrypting!.encrypt(SIGNING_KEY, 'id'), 'id')?.equals(SIGNING_KEY) ?? false
}

describe('the signing secret', () => {
  it('is generated once in the data folder, also by processes that start together', async () => {
    const dataDir = await temporaryDir()
    const ciphers = await Promise.all(Array.from({ length: 20 }, () => openSigningKeyCipher({}, dataDir)))
    const text = ciphers[0]!.encrypt(SIGNING_KEY, 'id')
    for (const cipher of ciphers) expect(cipher!.decrypt(text, 'id')).toEqual(SIGNING_KEY)
    expect(await readdir(dataDir)).toEqual(['signing-secret'])
    expect(await readFile(join(dataDir, 'signing-secret'), 'utf8')).toMatch(/^[\w-]{43}\n$/)
  })

  it.skipIf(process.platform === 'win32')('can be read by its owner alone', async () => {
    const dataDir = await temporaryDir()
    await openSigningKeyCipher({}, dataDir)
    expect((await stat(join(dataDir, 'signing-secret'))).mode & 0o777).toBe(0o600)
  })

  it('is the secret that is set, or the content of a file, which takes precedence', async () => {
    const dataDir = await temporaryDir()
    const file = join(dataDir, 'secret.txt')
    await writeFile(file, `${SECRET}\n`)
    expect(await canDecrypt({ signingSecret: SECRET }, { signingSecretFile: file }, dataDir)).toBe(true)
    expect(await canDecrypt({ signingSecretFile: file }, { signingSecretFile: file, signingSecret: 'x' })).toBe(true)
    expect(await canDecrypt({ signingSecret: SECRET }, {}, dataDir)).toBe(false)
  })

  it('does not exist for keys in Redis unless it is set', async () => {
    expect(await openSigningKeyCipher({}, undefined)).toBeUndefined()
    expect(await canDecrypt({ signingSecret: SECRET }, { signingSecret: SECRET })).toBe(true)
  })

  it('is refused when it is short, with a command that makes one and without the secret', async () => {
    const dataDir = await temporaryDir()
    const file = join(dataDir, 'signing-secret')
    await writeFile(file, SHORT, { mode: 0o600 })
    const mistakes = [
      [{ signingSecret: SHORT }, 'PAGE_PREVIEW_SIGNING_SECRET'],
      [{ signingSecret: `${SHORT}${' '.repeat(40)}` }, 'PAGE_PREVIEW_SIGNING_SECRET'],
      [{ signingSecretFile: file }, file],
    ] as const
    for (const [options, place] of mistakes) {
      const error = await openSigningKeyCipher(options, dataDir).catch((reason: unknown) => String(reason))
      expect(error).toContain(place)
      expect(error).toContain('openssl rand -base64 32')
      expect(error).not.toContain(SHORT)
    }
  })

  it.each(['', '\n', SHORT])('is damaged as %j, which is said without the secret', async (text) => {
    const dataDir = await temporaryDir()
    const file = join(dataDir, 'signing-secret')
    await writeFile(file, text, { mode: 0o600 })
    const error = await openSigningKeyCipher({}, dataDir).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DamagedSigningSecretError)
    expect(String(error)).toContain(`${file} is damaged`)
    if (text.trim()) expect(String(error)).not.toContain(text)
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('is reported as unreadable with its path', async () => {
    const missing = join(await temporaryDir(), 'missing')
    await expect(openSigningKeyCipher({ signingSecretFile: missing }, undefined)).rejects.toThrow(
      /signing secret in .*missing cannot be read .*ENOENT.*--signing-secret-file/,
    )
  })
})

const cipher = createSigningKeyCipher(SECRET)
const signingKey = randomBytes(32)
const text = cipher.encrypt(signingKey, 'key-1')

describe('a signing key', () => {
  it('is decrypted with the same secret for the same API key', () => {
    expect(createSigningKeyCipher(SECRET).decrypt(text, 'key-1')).toEqual(signingKey)
  })

  it('is encrypted differently each time', () => {
    expect(cipher.encrypt(signingKey, 'key-1')).not.toBe(text)
  })

  it('is not decrypted with another secret, or for another API key', () => {
    expect(createSigningKeyCipher(`${SECRET}.`).decrypt(text, 'key-1')).toBeUndefined()
    expect(cipher.decrypt(text, 'key-2')).toBeUndefined()
  })

  it('is not decrypted with any character changed', () => {
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === 'A' ? 'B' : 'A'
      expect(cipher.decrypt(text.slice(0, at) + other + text.slice(at + 1), 'key-1'), `character ${at}`).toBeUndefined()
    }
  })

  it.each([
    '',
    'v1.',
    'v1.AAAA',
    'v2.AAAA',
    text.slice(0, -4),
    text.replace('v1.', ''),
    `v1.${'A'.repeat(100_000)}`,
    '💥',
  ])('is not decrypted from %j', (damaged) => {
    expect(cipher.decrypt(damaged, 'key-1')).toBeUndefined()
  })
})
