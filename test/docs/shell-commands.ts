import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageCommand } from '../../src/cli/run-cli.js'
import { readArguments, type Command } from '../../src/command-line/index.js'
import { canParseUrl } from '../../src/query/written-url.js'
import { parseQuery } from '../../src/query/index.js'
import { serverCommands } from '../../src/server/commands/index.js'
import { readServeOptions } from '../../src/server/index.js'
import { captureCommand } from '../../src/static/commands/capture.js'
import { checkCommand as checkLinksCommand } from '../../src/static/commands/check.js'
import { freezeCommand } from '../../src/static/commands/freeze.js'
import { mcpCommand } from '../../src/static/commands/mcp.js'
import { root } from './read-docs.js'

/** Programs that are not ours: what they take is not known here. */
const OTHERS = new Set(['curl', 'docker', 'export', 'helm', 'mv', 'sqlite3', 'sudo', 'wget'])

/** Programs that are told which command to start. */
const MCP_CLIENTS = new Set(['claude', 'codex'])

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
    if (MCP_CLIENTS.has(program)) return await checkCommand(args.slice(args.indexOf('--') + 1))
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
  if (name === '-y') return checkNpx(args)
  if (name === 'page-preview-server') return checkService(args)
  if (name !== 'page-preview') return `${name} is not one of the packages`
  if (args[0] === 'snippet') return args.length === 2 && canParseUrl(args[1]!) ? undefined : args.join()
  return checkArguments(pageCommand(), args, /^\S+$/)
}

async function checkService([name = '', ...args]: readonly string[]): Promise<string | undefined> {
  switch (name) {
    case 'serve':
      readServeOptions(args, { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' })
      return undefined
    case 'keys':
      return checkArguments(
        await serverCommands.keys!.load(),
        args,
        /^(create|list|(revoke|update) \S+|export|import)\b/,
      )
    case 'purge':
      return checkArguments(await serverCommands.purge!.load(), args, /^\S*$/)
    case 'browser':
      return checkArguments(await serverCommands.browser!.load(), args, /^(status|install|update)$/)
    case 'check':
      return checkArguments(checkLinksCommand, args, /^\S+$/)
    case 'mcp':
      return checkArguments(mcpCommand, args, /^$/)
    case 'capture':
      return checkArguments(captureCommand, args, /^$/)
    case 'freeze':
      return checkArguments(freezeCommand, args, /^\S+$/)
    default:
      return `${name} is not a command of the service`
  }
}

function checkArguments(command: Command, args: readonly string[], operands: RegExp): string | undefined {
  const line = readArguments(command, args, {})
  parseQuery(new URLSearchParams([['url', 'https://example.com'], ...line.parameters]))
  if (!operands.test(line.operands.join(' '))) line.mistakes.push(`The operands are ${line.operands.join(', ')}.`)
  return line.mistakes.join(' ') || undefined
}

/** Only what runs inside of the container is ours. */
async function checkDocker(args: readonly string[]): Promise<string | undefined> {
  const at = args.indexOf('page-preview-server')
  return at < 0 ? undefined : checkService(args.slice(at + 1))
}

const wordsOf = (line: string) =>
  [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word.replaceAll(/['"]/g, ''))
