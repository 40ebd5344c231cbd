import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createSigningKeyCipher } from '../../../src/server/keys/signing-key-cipher.js'

const SECRET = 'the secret of an operator, 32 characters or more'
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
