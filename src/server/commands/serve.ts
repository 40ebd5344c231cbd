import { resolve } from 'node:path'
import { formatTable, onStopSignal, type Command } from '../../command-line/index.js'
import { serveOptions } from '../serve-options.js'
import type { RunningServer } from '../serve.js'

/**
 * Runs the service until SIGTERM or SIGINT. One line on stdout announces that it accepts requests; with `--demo`, the pages of the
 * sample site follow.
 */
export const serveCommand: Command = {
  description: 'Runs the service: previews at /, the playground at /playground/, the script tag at /page-preview.js.',
  usage: [['page-preview-server serve [--option …]'], ['page-preview-server serve --demo']],
  options: serveOptions,

  async run(args, environment) {
    // Its help needs no service.
    const { readServeOptions, serve, serveWorker } = await import('../serve.js')
    const options = readServeOptions(args, environment.env)
    const stopSignal = new Promise<void>((stop) => onStopSignal(environment, stop))
    const server = options.role === 'worker' ? await serveWorker(options) : await serve(options)
    environment.stdout.write(
      'worker' in server ? `page-preview ready worker=${server.worker}\n` : readyLine(server) + demoLines(server),
    )
    await stopSignal
    await server.stop()
    return 0
  },
}

function readyLine({ free, pro, playground, admin }: RunningServer): string {
  return `page-preview ready free=${free} pro=${pro} playground=${playground}${admin ? ` admin=${admin}` : ''}\n`
}

function demoLines({ demo, dataDir }: RunningServer): string {
  if (!demo) return ''
  const pages = formatTable(demo.examples.map(({ url, label }) => [`  ${url}`, label]))
  return `Sample pages:\n${pages.join('\n')}\nResults are stored in ${resolve(dataDir)}\n`
}
