import { runCommand } from '../../src/server/child-processes.js'
import { findServerProgram, programEnvironment, type FoundProgram } from '../shared/find-server-program.js'
import { runNpm } from '../apps/run-npm.js'

/** A generator of static sites, as its users install and run it. */
export interface SiteGenerator {
  /** Folder of the written site, in the folder of its sources. */
  outDir: string
  /** Folder in its sources of files that it serves as they are, if its pages need the files of `test/sites/public`. */
  publicDir?: string
  /** Arguments of `page-preview-server freeze`, where the site has no plugin that freezes it. */
  freezeArgs?: string[]
  /** Its pages have their own scripts and styles in their HTML. */
  hasInlineCode?: boolean
  /** Selector of parts of its theme that move when their scripts start, on pages without cards too. */
  movingParts?: string
  /** Why it cannot run on this machine. */
  missing?: string
  /** Installs the generator into the folder of the site, if it comes from npm. */
  install?(dir: string): Promise<unknown>
  /** Writes the site. @throws Error with the generator's output when it fails. */
  build(dir: string, env: NodeJS.ProcessEnv): Promise<void>
}

const TIMEOUT_MS = 540_000

const hugo = await findServerProgram({
  names: ['hugo'],
  variable: 'HUGO_PATH',
  package: 'hugo',
  packagePath: 'usr/bin/hugo',
  versionFlag: 'version',
})
const mkdocs = await findServerProgram({
  names: ['mkdocs'],
  variable: 'MKDOCS_PATH',
  package: 'mkdocs',
  packagePath: 'usr/bin/mkdocs',
  versionFlag: '--version',
  variables: (folder) => ({ PYTHONPATH: `${folder}/usr/lib/python3/dist-packages` }),
})

const fromNpm: Pick<SiteGenerator, 'install' | 'build'> = {
  install: (dir) => runNpm(dir, ['ci', '--ignore-scripts', '--prefer-offline', '--loglevel=error']),
  build: async (dir, env) => void (await runNpm(dir, ['run', 'build'], { ...env, NODE_ENV: 'production' })),
}

/** A paragraph that is only a link. */
const AUTO = '--auto=p > a[href^=http]:only-child'

/** By the name of their site in `test/sites`. */
export const siteGenerators: Readonly<Record<string, SiteGenerator>> = {
  hugo: { ...fromDebian(hugo, ['--quiet']), outDir: 'public', publicDir: 'static', freezeArgs: ['public', AUTO] },
  mkdocs: {
    ...fromDebian(mkdocs, ['build', '--quiet']),
    outDir: 'site',
    publicDir: 'theme',
    freezeArgs: ['site', AUTO, '--hover=p > a[href^=http]'],
  },
  eleventy: { ...fromNpm, outDir: '_site', publicDir: '.' },
  astro: { ...fromNpm, outDir: 'dist', publicDir: 'public' },
  vitepress: { ...fromNpm, outDir: '.vitepress/dist', hasInlineCode: true, movingParts: '.VPNav' },
  docusaurus: {
    ...fromNpm,
    outDir: 'build',
    publicDir: 'static',
    hasInlineCode: true,
    movingParts: '[class*=language-]',
  },
  sveltekit: { ...fromNpm, outDir: 'build', publicDir: 'static', hasInlineCode: true },
  next: { ...fromNpm, outDir: 'out', publicDir: 'public', hasInlineCode: true },
}

function fromDebian(program: FoundProgram, args: string[]): Pick<SiteGenerator, 'build' | 'missing'> {
  if ('missing' in program) return { missing: program.missing, build: () => Promise.reject(new Error(program.missing)) }
  const variables = { ...programEnvironment(program.libraryPath), ...program.variables }
  return {
    build: async (dir, env) =>
      void (await runCommand(program.path, args, { cwd: dir, env: { ...env, ...variables }, timeoutMs: TIMEOUT_MS })),
  }
}
