import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { hasPassword, readSecret } from '../../src/command-line/secrets.js'

const dir = mkdtempSync(join(tmpdir(), 'page-preview-secrets-'))
const file = (name: string, content: string) => {
  writeFileSync(join(dir, name), content)
  return join(dir, name)
}

afterAll(() => rmSync(dir, { recursive: true }))

describe('readSecret', () => {
  it('reads the variable, and rather the file that is named beside it, without its line break', () => {
    expect(readSecret('TOKEN', {})).toBeUndefined()
    expect(readSecret('TOKEN', { TOKEN: 'hush' })).toBe('hush')
    expect(readSecret('TOKEN', { TOKEN: 'hush', TOKEN_FILE: file('token', 'from the file\n') })).toBe('from the file')
  })

  it.each([
    ['is missing', join(dir, 'missing'), 'cannot be read (ENOENT)'],
    ['is a folder', dir, 'cannot be read (EISDIR)'],
    ['is empty', file('empty', ' \n'), 'is empty'],
    ['is too long to be a secret', file('long', 'x'.repeat(70_000)), 'is longer than 65536 bytes'],
  ])('names the variable and the file when that %s', (_, path, problem) => {
    expect(() => readSecret('TOKEN', { TOKEN_FILE: path })).toThrow(
      `TOKEN_FILE points to ${path}, which ${problem}; put the secret in that file and make it readable by the user of the service`,
    )
  })
})

it.each([
  ['redis://:hush@cache', true],
  ['s3://key:hush@previews', true],
  ['redis://user@cache', false],
  ['redis://cache', false],
  ['no URL', false],
])('hasPassword(%s) is %s', (text, expected) => {
  expect(hasPassword(text)).toBe(expected)
})
