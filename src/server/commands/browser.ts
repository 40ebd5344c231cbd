import prettyBytes from 'pretty-bytes'
import {
  defineCommand,
  formatTable,
  onStopSignal,
  optionFlag,
  optionVariable,
  UsageError,
  type CommandEnvironment,
  type TerminalOutput,
} from '../../command-line/index.js'
import {
  chromiumsFolder,
  estimateBrowserAgeDays,
  findChromium,
  installChromium,
  installNewer,
  isUpdateDue,
  listInstalled,
  removeOutdated,
  type FoundChromium,
  type InstalledChromium,
} from '../browser/index.js'
import type { LogEvent } from '../log.js'
import { serveOptions } from '../serve-options.js'
import { DAY_MS } from '../utc-day.js'

const browserOptions = {
  browser: { ...serveOptions.browser, help: 'as in serve; only status uses it' },
  browserMirror: {
    ...serveOptions.browserMirror,
    help: 'mirror to download Chromium from, instead of Google',
  },
  json: { help: 'print the result as JSON' },
} as const

/** Shows, installs and updates the Chromium of the service. A running service takes over an update within an hour. */
export const browserCommand = defineCommand({
  description:
    'Shows which Chromium the service uses, and installs or updates its own. A running service begins to use an update within an hour.',
  usage: [
    ['page-preview-server browser status', 'show its version, age and origin, and whether an update is due'],
    ['page-preview-server browser install', 'install the current stable Chromium, unless one is installed'],
    ['page-preview-server browser update', 'install the current stable Chromium if it is newer'],
  ],
  options: browserOptions,
  notes: `The exit code of status is 1 if there is no Chromium. Chromium is installed in ~/.cache/page-preview/chromium, or in the folder that the
variable PAGE_PREVIEW_CHROMIUM_DIR names.`,

  async run({ values, operands: [action = '', ...operands] }, environment) {
    const work = Object.hasOwn(actions, action) ? actions[action] : undefined
    if (!work) throw new UsageError(`Choose status, install or update${action ? `, not "${action}"` : ''}.`)
    if (operands.length > 0) throw new UsageError(`browser ${action} takes no operand.`)
    const stop = new AbortController()
    const release = onStopSignal(environment, () => stop.abort(new Error('Stopped. The next download continues here.')))
    try {
      return await work({ ...values, env: environment.env, signal: stop.signal }, environment)
    } finally {
      release()
    }
  },
})

interface Request {
  browser?: string
  browserMirror?: string
  json: boolean
  env: NodeJS.ProcessEnv
  signal: AbortSignal
}

/** @returns  The exit code. */
type Action = (request: Request, environment: CommandEnvironment) => Promise<number>

const actions: Readonly<Record<string, Action>> = { status: showStatus, install: installOnce, update: installUpdate }

async function showStatus(
  { browser: executable, json, env, signal }: Request,
  { stdout, stderr }: CommandEnvironment,
): Promise<number> {
  const found = await findChromium({ env: executable ? { ...env, CHROMIUM_PATH: executable } : env, signal })
  if (!found) {
    if (json) stdout.write('null\n')
    stderr.write(
      'There is no Chromium on this machine; serve installs one, and so does: page-preview-server browser install\n',
    )
    return 1
  }
  const status = statusOf(executable ? { ...found, source: 'option', installed: undefined } : found)
  stdout.write(json ? `${JSON.stringify(status, null, 2)}\n` : statusText(status))
  return 0
}

/** What `browser status` shows. */
type Status = ReturnType<typeof statusOf>

function statusOf({ path, version, source, installed }: FoundChromium) {
  const now = Date.now()
  return {
    version: version ?? installed?.version ?? null,
    path,
    source,
    estimatedAgeDays: version === undefined ? null : (estimateBrowserAgeDays(version, now) ?? null),
    ...(installed && {
      origin: installed.origin,
      installedAt: new Date(installed.installedAt).toISOString(),
      installedDays: Math.floor((now - installed.installedAt) / DAY_MS),
      isUpdateDue: isUpdateDue(installed, now),
    }),
  }
}

const SOURCES: Readonly<Record<FoundChromium['source'], string>> = {
  option: `set by ${optionFlag('browser')} or ${optionVariable('browser')}`,
  CHROMIUM_PATH: 'set by CHROMIUM_PATH',
  playwright: 'installed by Playwright',
  system: 'installed on this system',
  installed: 'installed by page-preview-server',
}

function statusText(status: Status): string {
  const { version, path, source, origin, estimatedAgeDays, installedAt, installedDays } = status
  const rows = [
    ['version', version ?? 'unknown'],
    ['released', estimatedAgeDays === null ? 'unknown' : `about ${estimatedAgeDays} days ago`],
    ['path', path],
    ['source', SOURCES[source]],
    ...(origin ? [['origin', origin]] : []),
    ...(installedAt ? [['installed', `${installedAt.slice(0, 10)}, ${installedDays} days ago`]] : []),
    ['update', updateText(status)],
  ]
  return `${formatTable(rows).join('\n')}\n`
}

function updateText({ isUpdateDue: isDue }: Status): string {
  if (isDue === undefined) return 'by whoever has installed it'
  return isDue ? 'due: page-preview-server browser update, or by a running service' : 'not due'
}

async function installOnce(request: Request, environment: CommandEnvironment): Promise<number> {
  const [newest] = await listInstalled(chromiumsFolder(request.env))
  const installed = newest ?? (await withProgress(request, environment, (options) => installChromium(options)))
  printInstalled(installed, newest ? 'is installed already' : 'is installed', request, environment)
  return 0
}

async function installUpdate(request: Request, environment: CommandEnvironment): Promise<number> {
  const root = chromiumsFolder(request.env)
  const [newest] = await listInstalled(root)
  if (!newest) {
    environment.stderr.write(
      'page-preview-server: No Chromium was installed by page-preview-server. Install one with: page-preview-server browser install\n',
    )
    return 1
  }
  const updated = await withProgress(request, environment, (options) => installNewer(newest.version, options))
  await removeOutdated(root)
  printInstalled(updated ?? newest, updated ? 'is installed' : 'is current', request, environment)
  return 0
}

function printInstalled(
  { version, path, origin }: InstalledChromium,
  outcome: string,
  { json }: Request,
  { stdout, stderr }: CommandEnvironment,
): void {
  stderr.write(`Chromium ${version} ${outcome}.\n`)
  stdout.write(json ? `${JSON.stringify({ version, path, origin }, null, 2)}\n` : `${path}\n`)
}

/** Shows how far a download is: on a terminal in one line. */
async function withProgress<Result>(
  { browserMirror: mirror, env, signal }: Request,
  { stderr }: CommandEnvironment,
  install: (options: {
    env: NodeJS.ProcessEnv
    mirror?: string | undefined
    log: LogEvent
    signal: AbortSignal
  }) => Result,
): Promise<Awaited<Result>> {
  try {
    return await install({ env, mirror, signal, log: (event) => printProgress(event, stderr) })
  } finally {
    stderr.eraseLine()
  }
}

function printProgress({ event, ...details }: Parameters<LogEvent>[0], output: TerminalOutput): void {
  const { version, origin, receivedBytes, totalBytes, reason, instead } = details
  output.eraseLine()
  if (event === 'chromium-install-started') output.write(`Installing ${String(origin)}\n`)
  if (event === 'chromium-download-failed') output.write(`${String(reason)}; trying ${String(instead)} instead\n`)
  if (event !== 'chromium-downloading') return
  const total = Number(totalBytes) > 0 ? ` of ${prettyBytes(Number(totalBytes))}` : ''
  const line = `Chromium ${String(version)}: ${prettyBytes(Number(receivedBytes))}${total}`
  output.write(output.isTTY ? line : `${line}\n`)
}
