import { type CommandEnvironment } from '../../server/commands/index.js'

/**
 * A signal that aborts with the first SIGTERM or SIGINT; the second one ends the process as usual.
 *
 * @param advice  What becomes of the work, as a sentence.
 */
export function stopSignal(environment: CommandEnvironment, advice: string): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const release = () => {
    environment.off('SIGTERM', onSignal)
    environment.off('SIGINT', onSignal)
  }
  const onSignal = () => {
    release()
    controller.abort(new Error(`Stopped. ${advice}`))
  }
  environment.once('SIGTERM', onSignal)
  environment.once('SIGINT', onSignal)
  return { signal: controller.signal, release }
}
