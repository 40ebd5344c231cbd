import type { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { nearestName } from '../query/help/index.js'
import { optionRows, readArguments, UsageError, type CommandLine, type OptionTable } from './options.js'
import type { Environment } from './secrets.js'
import { formatTable, terminalOutput, type OutputStream, type TerminalOutput } from './terminal.js'

/** The parts of `process` that a command line uses; tests replace them. */
export interface CommandProcess {
  env: Environment
  /** Default: stdin of the process. */
  stdin?: Readable
  stdout: OutputStream
  stderr: OutputStream
  once(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
  off(event: 'SIGTERM' | 'SIGINT', listener: () => void): unknown
}

/** The same with streams that are safe on a terminal. */
export interface CommandEnvironment extends CommandProcess {
  stdout: TerminalOutput
  stderr: TerminalOutput
}

/**
 * Calls back once, with the first SIGTERM or SIGINT; the next one ends the process as usual.
 *
 * @returns  Stops listening.
 */
export function onStopSignal(environment: CommandEnvironment, stop: () => void): () => void {
  const release = () => {
    environment.off('SIGTERM', onSignal)
    environment.off('SIGINT', onSignal)
  }
  const onSignal = () => {
    release()
    stop()
  }
  environment.once('SIGTERM', onSignal)
  environment.once('SIGINT', onSignal)
  return release
}

/** One command of a program. The help text consists of what describes it, in this order. */
export interface Command {
  description: string
  /** Ways to call it, and what each does. */
  usage: readonly (readonly [commandLine: string, text?: string])[]
  details?: string
  options: OptionTable
  /** Whether parameters of the query language are flags too, and `url` among them. */
  parameters?: 'all' | 'without url'
  notes?: string
  /**
   * @returns  The exit code: 0, or 1 if it failed.
   * @throws   {UsageError}; Error with a sentence for the user.
   */
  run(args: readonly string[], environment: CommandEnvironment): Promise<number>
}

interface CommandDefinition<Options extends OptionTable> extends Omit<Command, 'options' | 'run'> {
  options: Options
  run(line: CommandLine<Options>, environment: CommandEnvironment): Promise<number>
}

/** A command whose arguments its table of options describes completely. */
export const defineCommand = <const Options extends OptionTable>(definition: CommandDefinition<Options>): Command => ({
  ...definition,
  async run(args, environment) {
    const line = readArguments(definition, args, environment.env)
    if (line.mistakes.length > 0) throw new UsageError(line.mistakes.join('\n'))
    return definition.run(line, environment)
  },
})

export function helpText({ description, usage, details, options, notes }: Command): string {
  const rows = usage.map(([commandLine, text = '']): [string, string] => [commandLine, text])
  const sections = [description, helpRows(rows), details, helpRows(optionRows(options)), notes]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

const MAX_COLUMN_CHARS = 44

/** What can be written and what it means, in two columns. */
export const helpRows = (rows: readonly (readonly [string, string])[]): string =>
  formatTable(rows, MAX_COLUMN_CHARS)
    .map((line) => `  ${line}`)
    .join('\n')

export interface Program {
  name: string
  version: string
  help(): string
  /** Loads a command when it is called, or passes a whole command line on to another program. */
  commands: Readonly<Record<string, { load(): Promise<Command> } | { delegate: Delegate }>>
  /** What is missing if there are no arguments. Default: a command. */
  missing?: string
  /** Runs what does not begin with a command. Default: it is refused. */
  otherwise?: Command
}

type Delegate = (args: readonly string[], process: CommandProcess) => Promise<number>

/**
 * Runs one command line.
 *
 * @param args  The arguments after the program's name.
 * @returns     Exit code: 0 success, 1 the command failed, 2 wrong usage.
 */
export async function runProgram(program: Program, args: readonly string[], process: CommandProcess): Promise<number> {
  const stderr = terminalOutput(process.stderr)
  let isOutputLost = false
  process.stdout.on?.('error', (error) => {
    // Nobody reads it any more, as of `| head`, but the work goes on.
    if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' || isOutputLost) return
    isOutputLost = true
    stderr.write(`${program.name}: The output cannot be written: ${error.message}\n`)
  })
  // There is no other place to say it.
  process.stderr.on?.('error', () => undefined)
  try {
    const exitCode = await runCommand(program, args, process)
    // A stream reports in the next turn that it could not be written.
    await nextTurn()
    return exitCode === 0 && isOutputLost ? 1 : exitCode
  } catch (error) {
    const isUsage = error instanceof UsageError
    stderr.write(`${program.name}: ${error instanceof Error ? error.message : String(error)}\n`)
    if (isUsage) stderr.write(`Try ${program.name} --help.\n`)
    return isUsage ? 2 : 1
  }
}

async function runCommand(program: Program, args: readonly string[], process: CommandProcess): Promise<number> {
  const { commands, otherwise } = program
  const names = Object.keys(commands)
  const [name, ...rest] = args
  if (name === undefined) throw new UsageError(program.missing ?? `A command is missing: ${alternatives(names)}.`)
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command && 'delegate' in command) return command.delegate(args, process)
  const environment = safeOnTerminals(process)
  if (name === 'help' || args.includes('--help') || args.includes('-h')) {
    environment.stdout.write(command ? helpText(await command.load()) : program.help())
    return 0
  }
  if (name === '--version' || name === '-v') {
    environment.stdout.write(`${program.version}\n`)
    return 0
  }
  if (command) return (await command.load()).run(rest, environment)
  if (otherwise) return otherwise.run(args, environment)
  throw unknownCommand(name, names)
}

const safeOnTerminals = (process: CommandProcess): CommandEnvironment => ({
  env: process.env,
  ...(process.stdin && { stdin: process.stdin }),
  stdout: terminalOutput(process.stdout),
  stderr: terminalOutput(process.stderr),
  once: (event, listener) => process.once(event, listener),
  off: (event, listener) => process.off(event, listener),
})

const MAX_NAME_DISTANCE = 2

/** The name of a command that was probably meant. */
export const nearestCommand = (written: string, names: readonly string[]): string | undefined =>
  nearestName(written, names, MAX_NAME_DISTANCE)

function unknownCommand(written: string, names: readonly string[]): UsageError {
  const nearest = nearestCommand(written, names)
  const advice = nearest ? `Did you mean ${nearest}?` : `Use ${alternatives(names)}.`
  return new UsageError(`Unknown command "${written}". ${advice}`)
}

/** @returns  `a, b or c`. */
const alternatives = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
