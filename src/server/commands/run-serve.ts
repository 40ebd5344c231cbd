import { resolve } from 'node:path'
import { serve, type RunningServer } from '../serve.js'
import { OptionsError, readServeOptions, type ServeOptions } from '../read-serve-options.js'
import type { CommandEnvironment } from './command-environment.js'
import { formatTable } from './format-table.js'
import { UsageError } from './usage-error.js'

/**
 * Runs the service until SIGTERM or SIGINT. One line on stdout announces that it accepts requests; with `--demo`, the pages of the
 * sample site follow.
 *
 * @returns  0 after an orderly stop.
 * @throws   {UsageError} for invalid options; Error with a sentence for what prevents the start.
 */
export async function runServe(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  const options = parseOptions(args, environment.env)
  const stopSignal = nextStopSignal(environment)
  const server = await serve(options)
  environment.stdout.write(readyLine(server) + demoLines(server))
  await stopSignal
  await server.stop()
  return 0
}

function readyLine({ free, pro, playground, admin }: RunningServer): string {
  return `page-preview ready free=${free} pro=${pro} playground=${playground}${admin ? ` admin=${admin}` : ''}\n`
}

function demoLines({ demo, dataDir }: RunningServer): string {
  if (!demo) return ''
  const pages = formatTable(demo.examples.map(({ url, label }) => [`  ${url}`, label]))
  return `Sample pages:\n${pages.join('\n')}\nResults are stored in ${resolve(dataDir)}\n`
}

function parseOptions(args: readonly string[], env: CommandEnvironment['env']): ServeOptions {
  try {
    return readServeOptions(args, env)
  } catch (error) {
    if (error instanceof OptionsError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

function nextStopSignal(environment: CommandEnvironment): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = () => {
      environment.off('SIGTERM', onSignal)
      environment.off('SIGINT', onSignal)
      resolve()
    }
    environment.once('SIGTERM', onSignal)
    environment.once('SIGINT', onSignal)
  })
}
