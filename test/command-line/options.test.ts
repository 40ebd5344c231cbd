import { describe, expect, it } from 'vitest'
import {
  choice,
  httpUrl,
  list,
  optionFlag,
  optionVariable,
  readArguments,
  serviceUrl,
  wholeNumber,
  withVariables,
} from '../../src/command-line/index.js'
import { optionRows } from '../../src/command-line/options.js'

const options = {
  json: { help: 'print JSON' },
  outFile: { placeholder: 'FILE', short: 'o', help: 'where to write' },
  refresh: { placeholder: 'URL', isRepeatable: true, help: 'capture again' },
  count: { placeholder: 'N', default: 2, parse: wholeNumber({ min: 1, max: 9 }), help: 'how many' },
  ...withVariables({
    dryRun: { help: 'change nothing' },
    target: { placeholder: 'HOST', isRepeatable: true, default: '', parse: list, help: 'where to' },
    store: { placeholder: 'URL', isSecret: true, help: 'where it is' },
  }),
} as const

const read = (args: string[], env: Record<string, string> = {}) => readArguments({ options }, args, env)
const withParameters = (...args: string[]) => readArguments({ options, parameters: 'without url' }, args, {})

describe('the values of options', () => {
  it('are their defaults, and absent without one', () => {
    expect(read([])).toEqual({
      values: { json: false, count: 2, dryRun: false, target: [] },
      operands: [],
      parameters: [],
      exposedPasswords: [],
      mistakes: [],
    })
  })

  it.each([
    [['--out-file', 'a'], { outFile: 'a' }],
    [['--out-file=a'], { outFile: 'a' }],
    [['-o', 'a'], { outFile: 'a' }],
    [['-oa'], { outFile: 'a' }],
    [['--out-file=a', '--out-file=b'], { outFile: 'b' }],
    [['--out-file', '-'], { outFile: '-' }],
    [['--out-file', '-a'], { outFile: '-a' }],
    [['--out-file=--a'], { outFile: '--a' }],
    [['--refresh=a', '--refresh', 'b'], { refresh: ['a', 'b'] }],
    [['--target=a,b', '--target', 'c d'], { target: ['a', 'b', 'c', 'd'] }],
    [['--json'], { json: true }],
    [['--json', 'false'], { json: false }],
    [['--json=true'], { json: true }],
    [['--json=0'], { json: false }],
  ])('of %j are %j', (args, values) => {
    expect(read(args)).toMatchObject({ values, operands: [], mistakes: [] })
  })

  it('come from the environment without a flag', () => {
    const env = {
      PAGE_PREVIEW_DRY_RUN: '1',
      PAGE_PREVIEW_TARGET: 'a b',
      PAGE_PREVIEW_STORE: 's',
      PAGE_PREVIEW_COUNT: '3',
    }
    expect(read([], env).values).toMatchObject({ dryRun: true, target: ['a', 'b'], store: 's', count: 2 })
    expect(read(['--dry-run=false', '--target=c', '--store=t'], env).values).toMatchObject({
      dryRun: false,
      target: ['c'],
      store: 't',
    })
  })

  it('do not come from an empty variable', () => {
    expect(read([], { PAGE_PREVIEW_STORE: '', PAGE_PREVIEW_TARGET: '' }).values).toEqual(read([]).values)
  })
})

it('operands are everything else, and everything after two dashes', () => {
  expect(read(['a', '--json', 'b', '--', '--json', 'true']).operands).toEqual(['a', 'b', '--json', 'true'])
})

describe('mistakes', () => {
  it('are all named, one sentence each', () => {
    const { mistakes } = read(['--jsn', '--out-file', '--count=10', '-x', '--json=maybe'], {
      PAGE_PREVIEW_DRY_RUN: 'no',
    })
    expect(mistakes).toEqual([
      'Unknown flag --jsn. Did you mean --json?',
      '--out-file needs a value.',
      'Unknown flag -x. Did you mean --json?',
      '--json must be true or false, not "maybe".',
      '--count must be a whole number from 1 to 9, not "10".',
      'PAGE_PREVIEW_DRY_RUN must be true or false, not "no".',
    ])
    expect(read(['--out-file']).mistakes).toEqual(['--out-file needs a value.'])
  })

  it.each([['--__proto__=x'], ['--constructor=x'], ['--toString'], ['--outFile=x'], ['--out_file=x']])(
    '%s is not a flag',
    (flag) => {
      const { mistakes } = read([flag])
      expect(mistakes).toEqual([expect.stringContaining(`Unknown flag ${flag.split('=')[0]}. Did you mean`)])
    },
  )
})

it('passwords among the arguments are noticed, and not in the environment', () => {
  const url = 'redis://:hush@cache'
  expect(read([`--store=${url}`]).exposedPasswords).toEqual(['store'])
  expect(read(['--store=redis://cache'], { PAGE_PREVIEW_STORE: url }).exposedPasswords).toEqual([])
  expect(read([], { PAGE_PREVIEW_STORE: url }).exposedPasswords).toEqual([])
})

describe('parameters', () => {
  it.each([
    [['https://a.example'], []],
    [
      ['--element', '#x', '--viewport.width=1'],
      [
        ['element', '#x'],
        ['viewport.width', '1'],
      ],
    ],
    [['--full-page'], [['full-page', 'true']]],
    [['--javascript', 'false'], [['javascript', 'false']]],
    [['--ping.audio=false'], [['ping.audio', 'false']]],
    [['--headers.user-agent', 'me'], [['headers.user-agent', 'me']]],
    [
      ['--click.0=#a', '--click.1', '-b'],
      [
        ['click.0', '#a'],
        ['click.1', '-b'],
      ],
    ],
    [['-o', 'file'], []],
    [['--json', 'https://a.example'], []],
    [['--', '--element'], []],
  ])('of %j are %j', (args, parameters) => {
    expect(withParameters(...args)).toMatchObject({ parameters, mistakes: [] })
  })

  it('need values, and are no flags of commands without them', () => {
    expect(withParameters('--element').mistakes).toEqual(['--element needs a value.'])
    expect(withParameters('--screenshoot').mistakes).toEqual(['Unknown flag --screenshoot. Did you mean --screenshot?'])
    expect(withParameters('--url=https://a.example').mistakes).toEqual([expect.stringContaining('Unknown flag --url')])
    expect(readArguments({ options, parameters: 'all' }, ['--url=a'], {}).parameters).toEqual([['url', 'a']])
    expect(read(['--element=a']).mistakes).toEqual([expect.stringContaining('Unknown flag --element')])
  })
})

it('rows of the help text name the flag, the default and the variables', () => {
  expect(optionRows(options)).toEqual([
    ['--json', 'print JSON'],
    ['-o, --out-file FILE', 'where to write'],
    ['--refresh URL', 'capture again'],
    ['--count N', 'how many; default 2'],
    ['--dry-run', 'change nothing (PAGE_PREVIEW_DRY_RUN)'],
    ['--target HOST', 'where to (PAGE_PREVIEW_TARGET)'],
    ['--store URL', 'where it is (PAGE_PREVIEW_STORE, or its file in PAGE_PREVIEW_STORE_FILE)'],
  ])
  expect([optionFlag('dataDir'), optionVariable('dataDir')]).toEqual(['--data-dir', 'PAGE_PREVIEW_DATA_DIR'])
})

it.each<[string, () => unknown, unknown]>([
  ['a name', () => choice('a', 'b')('b'), 'b'],
  ['a number', () => wholeNumber()('0'), 0],
  ['a URL', () => httpUrl()('https://a.example/'), 'https://a.example/'],
  ['the URL of a service', () => serviceUrl()('https://a.example/b//'), 'https://a.example/b'],
])('%s is parsed', (_, parse, value) => {
  expect(parse()).toBe(value)
})

it.each<[string, () => unknown]>([
  ['must be one of a, b, not "c"', () => choice('a', 'b')('c')],
  ['must be a whole number up to 9, not "-1"', () => wholeNumber({ max: 9 })('-1')],
  ['must be a whole number from 1 to 9, not "1.5"', () => wholeNumber({ min: 1, max: 9 })('1.5')],
  ['must be an absolute http(s) URL, not "/a"', () => httpUrl()('/a')],
  ['must be the address, not "ftp://a"', () => serviceUrl('the address')('ftp://a')],
])('what is invalid %s', (message, parse) => {
  expect(parse).toThrow(message)
})
