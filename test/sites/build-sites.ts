import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runCommand } from '../../src/server/child-processes.js'
import { startDemoSite } from '../../src/server/demo/index.js'
import { runNpm } from '../apps/run-npm.js'
import type { SiteGenerator } from './site-generators.js'

/** A folder with both packed packages, in which sites are built as their authors would. */
export interface SitesFolder {
  /** Builds a site of `test/sites` while the page that it previews is there. @returns  The folder of its files. */
  build(name: string, generator: SiteGenerator): Promise<string>
  /** Runs `page-preview-server freeze` in the folder of a site. */
  freeze(name: string, args: string[]): Promise<void>
  remove(): Promise<void>
}

const TEXT_FILE = /\.(astro|css|html|js|json|jsx|md|mdx|mjs|njk|svelte|svg|toml|yml)$/
const FREEZE_TIMEOUT_MS = 120_000
/** What the sources name as the previewed site. */
const TARGET_URL = 'https://nightjar.example.com'

export async function createSitesFolder(): Promise<SitesFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'page-preview-sites-'))
  const { LIBRARY_TARBALL, SERVER_TARBALL } = process.env as Record<string, string>
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await runNpm(folder, ['install', '--no-audit', '--no-fund', '--prefer-offline', LIBRARY_TARBALL!, SERVER_TARBALL!])
  const command = join(folder, 'node_modules/page-preview-server/dist/static/commands/page-preview-server.js')
  const environment = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1' }
  const freeze = async (name: string, args: string[]) => {
    const options = { cwd: join(folder, name), env: environment, timeoutMs: FREEZE_TIMEOUT_MS }
    await runCommand(process.execPath, [command, 'freeze', '--strict', ...args], options)
  }
  return {
    freeze,
    async build(name, generator) {
      const target = await startDemoSite()
      try {
        const dir = join(folder, name)
        await copySources(join(import.meta.dirname, name), dir, (text) => withTarget(text, target))
        if (generator.publicDir)
          await cp(join(import.meta.dirname, 'public'), join(dir, generator.publicDir), { recursive: true })
        await generator.install?.(dir)
        // Captures may time out while the build keeps a machine busy; those that are finished are not repeated.
        await generator.build(dir, environment).catch(() => generator.build(dir, environment))
        if (generator.freezeArgs) await freeze(name, [...generator.freezeArgs, `--allow-target=${target.host}`])
        return join(dir, generator.outDir)
      } finally {
        await target.close()
      }
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** The sample site is at a private address, which has to be allowed where a site's own configuration captures it. */
const withTarget = (text: string, { url, host }: { url: string; host: string }) =>
  text.replaceAll(TARGET_URL, url).replaceAll('{ auto: ', `{ strict: true, allowTargets: ['${host}'], auto: `)

async function copySources(from: string, to: string, edit: (text: string) => string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copySources(source, target, edit)
    else if (TEXT_FILE.test(entry.name)) await writeFile(target, edit(await readFile(source, 'utf8')))
    else await cp(source, target)
  }
}
