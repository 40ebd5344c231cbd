import type { Command } from '../../command-line/index.js'

export { serveOptions } from '../serve-options.js'
export { version } from '../version.js'

/** A command of `page-preview-server`, which is loaded when it is called: freezing from the cache takes less time than loading the service. */
export interface CommandEntry {
  usage: string
  summary: string
  load(): Promise<Command>
}

/** The commands of the service. */
export const serverCommands: Readonly<Record<string, CommandEntry>> = {
  serve: {
    usage: 'serve [--option …]',
    summary: 'run the service',
    load: async () => (await import('./serve.js')).serveCommand,
  },
  keys: {
    usage: 'keys create|list|update|revoke|export|import',
    summary: 'manage the keys of the pro host',
    load: async () => (await import('./keys.js')).keysCommand,
  },
  browser: {
    usage: 'browser status|install|update',
    summary: 'show, install or update Chromium',
    load: async () => (await import('./browser.js')).browserCommand,
  },
  purge: {
    usage: 'purge URL|HOST|--all',
    summary: 'delete cached results',
    load: async () => (await import('./purge.js')).purgeCommand,
  },
}
