import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { helpText as clientHelp } from '../../src/cli/help-text.js'
import { readPageCommand } from '../../src/cli/read-page-command.js'
import { readPurgeCommand } from '../../src/server/commands/read-purge-command.js'
import { readServeOptions } from '../../src/server/index.js'
import { readCaptureCommand } from '../../src/static/commands/capture.js'
import { readCheckCommand } from '../../src/static/commands/check.js'
import { readFreezeCommand } from '../../src/static/commands/freeze.js'
import { keysHelp } from '../../src/server/commands/help-text.js'
import { root } from './read-docs.js'

/** Programs that are not ours: what they take is not known here. */
const OTHERS = new Set(['curl', 'docker', 'export', 'sudo'])

/** The commands of a shell block, each split into its arguments; without comments. */
export function commandsOf(code: string): string[][] {
  return code
    .split('\n')
    .map((line) => wordsOf(line.replace(/\s#\s.*$|^#.*$/, '')))
    .filter((words) => words.length > 0)
}

/** @returns What is wrong with a command, `undefined` when it would run. */
export async function checkCommand([program = '', ...args]: readonly string[]): Promise<string | undefined> {
  try {
    if (program === 'npm') return checkNpm(args)
    if (program === 'npx') return await checkNpx(args)
    if (program === 'docker') return await checkDocker(args)
    return OTHERS.has(program) ? undefined : `${program} is not known`
  } catch (error) {
    return String(error)
  }
}

function checkNpm([command = '', ...args]: readonly string[]): string | undefined {
  if (command === 'install')
    return args.every((name) => /^page-preview(-server)?$/.test(name)) ? undefined : args.join()
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  const script = command === 'run' ? args[0]! : command
  return script in scripts ? undefined : `there is no script ${script}`
}

async function checkNpx([name, ...args]: readonly string[]): Promise<string | undefined> {
  if (name === 'page-preview-server') return checkService(args)
  if (name !== 'page-preview') return `${name} is not one of the packages`
  if (args[0] === 'snippet') return checkFlags(clientHelp('snippet'), args)
  readPageCommand(args)
  return undefined
}

async function checkService([command = '', ...args]: readonly string[]): Promise<string | undefined> {
  if (command === 'keys') return checkFlags(keysHelp(), args)
  if (command === 'purge') {
    readPurgeCommand(args, {})
    return undefined
  }
  if (command === 'check') {
    await readCheckCommand(args, {})
    return undefined
  }
  if (command === 'capture') {
    await readCaptureCommand(args, {})
    return undefined
  }
  if (command === 'freeze') {
    await readFreezeCommand(args, {})
    return undefined
  }
  if (command !== 'serve') return `${command} is not a command of the service`
  const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
  readServeOptions(args, credentials)
  return undefined
}

/** Only what runs inside of the container is ours. */
async function checkDocker(args: readonly string[]): Promise<string | undefined> {
  const at = args.indexOf('page-preview-server')
  return at < 0 ? undefined : checkService(args.slice(at + 1))
}

function checkFlags(help: string, args: readonly string[]): string | undefined {
  const unknown = args.filter(
    (arg) => (arg.startsWith('--') || /^(create|list|revoke)$/.test(arg)) && !help.includes(arg),
  )
  return unknown.length ? `the help does not name ${unknown.join()}` : undefined
}

const wordsOf = (line: string) =>
  [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replaceAll(/['"]/g, ''))
