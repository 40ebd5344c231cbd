import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { errorHelp, parameterHelp } from '../../src/query/help/index.js'
import { errorCodes, fields, type ErrorCode, type ParameterName } from '../../src/query/index.js'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const rows = readme.split('\n').filter((line) => line.startsWith('| `'))
const firstCells = rows.map((row) => /^\| `([^`]+)`/.exec(row)![1]!)

describe('the README', () => {
  it('has one row for every word, with its help', () => {
    for (const word of Object.keys(fields) as ParameterName[]) {
      const row = rows.find((line) => line.startsWith(`| \`${word}\``))
      expect(row, word).toContain(parameterHelp[word])
    }
  })

  it('has one row for every error the service answers with', () => {
    for (const code of Object.keys(errorCodes) as ErrorCode[])
      expect(
        rows.find((line) => line.startsWith(`| \`${code}\``)),
        code,
      ).toContain(errorHelp[code])
  })

  it('has rows for nothing else', () => {
    const known = new Set<string>([...Object.keys(fields), ...Object.keys(errorCodes)])
    expect(firstCells.filter((name) => !known.has(name))).toEqual([])
  })
})

it('src/README.md says of every dependency what it replaces', () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'src/server/package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  const text = readFileSync(join(root, 'src/README.md'), 'utf8')
  expect(Object.keys(dependencies).filter((name) => name !== 'page-preview' && !text.includes(`\`${name}\``))).toEqual(
    [],
  )
})
