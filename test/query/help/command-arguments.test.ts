import { parseArgs } from 'node:util'
import { describe, expect, it } from 'vitest'
import { commandArguments, commandFlags, isParameterName } from '../../../src/query/help/index.js'

const OWN_FLAGS = { json: { type: 'boolean' }, output: { type: 'string', short: 'o' } } as const

function read(...args: string[]): [name: string, value: string | undefined][] {
  const options = commandFlags(args, OWN_FLAGS)
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true })
  return commandArguments(tokens, OWN_FLAGS).map(({ name, value }) => [name, value])
}

describe('the arguments of a command', () => {
  it.each([
    [['https://a.example'], [['', 'https://a.example']]],
    [
      ['--element', '#x', '--width=1'],
      [
        ['element', '#x'],
        ['width', '1'],
      ],
    ],
    [['--full-page'], [['full-page', '']]],
    [['--javascript', 'false'], [['javascript', 'false']]],
    [['--ping.audio=false'], [['ping.audio', 'false']]],
    [['--element'], [['element', undefined]]],
    [['-o', 'file'], [['output', 'file']]],
    [
      ['--json', 'https://a.example'],
      [
        ['json', ''],
        ['', 'https://a.example'],
      ],
    ],
    [['--', '--element'], [['', '--element']]],
  ])('of %j are %j', (args, expected) => {
    expect(read(...args)).toEqual(expected)
  })

  it.each([
    ['full-page', true],
    ['screenshot.fullPage', true],
    ['headers.user-agent', true],
    ['element.0', true],
    ['width', false],
    ['constructor', true],
    ['fullpages', false],
  ])('name a parameter with --%s: %s', (name, isKnown) => {
    expect(isParameterName(name)).toBe(isKnown)
  })
})
