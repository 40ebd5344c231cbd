import { OptionsError, readServeOptions, serve } from '../server/index.js'
import type { CommandEnvironment } from './run.js'
import { UsageError } from './usage-error.js'

/**
 * Runs the service until it is told to stop; one line on stdout says that it is ready.
 *
 * @returns  0 after an orderly stop.
 * @throws   {UsageError} for options that are not valid; Error with a sentence for what keeps it from starting.
 */
export async function runService(args: readonly string[], around: CommandEnvironment): Promise<number> {
  const stopped = stopSignal(around)
  const serving = await serve(readOrRefuse(args, around.env))
  around.stdout.write(`page-preview ready free=${serving.free} pro=${serving.pro} playground=${serving.playground}\n`)
  await stopped
  await serving.stop()
  return 0
}

function readOrRefuse(...given: Parameters<typeof readServeOptions>) {
  try {
    return readServeOptions(...given)
  } catch (error) {
    if (error instanceof OptionsError) throw new UsageError(error.message, { cause: error })
    throw error
  }
}

function stopSignal(around: CommandEnvironment): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      around.off('SIGTERM', stop)
      around.off('SIGINT', stop)
      resolve()
    }
    around.once('SIGTERM', stop)
    around.once('SIGINT', stop)
  })
}
