// Covers the snippets of README.md and the documentation as a new user meets them: word for word but for addresses, in new apps
// of Vite, with the React Compiler, and of Next, and against the service that npx starts; all of it from the packed packages.
import { execFile } from 'node:child_process'
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Browser, Page } from 'puppeteer-core'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDocs, type CodeBlock } from '../docs/read-docs.js'
import { freePort } from '../shared/free-port.js'
import { launchChromium } from '../shared/launch-chromium.js'
import { appServer } from './app-server.js'
import { appDir, buildApp } from './build-app.js'
import { listenAsHost, type AppHost } from './listen-as-host.js'
import { dataDirOf, emptyFolder, installPackages, startWithNpx, type NpxService } from './npx-service.js'
import { openApp } from './open-app.js'
import { runNpm } from './run-npm.js'
import { untilCaptured } from './until-captured.js'
import { WAIT_OPTIONS } from './until-card.js'

const { LIBRARY_TARBALL, SERVER_TARBALL } = process.env as Record<string, string>
const MODES = ['development', 'production'] as const

const pages = readDocs()
const blocksOf = (page: string, ...languages: string[]) =>
  pages.find(({ path }) => path === page)!.blocks.filter(({ language }) => languages.includes(language))

let dir: string
let service: NpxService
let key: string
/** A page of the sample site. */
let target: string
let chromium: Browser

beforeAll(async () => {
  dir = await emptyFolder()
  await installPackages(dir, LIBRARY_TARBALL!, SERVER_TARBALL!)
  const create = ['exec', '--no', '--', 'page-preview-server', 'keys', 'create', '--name=Apps']
  const { stdout } = await runNpm(dir, [...create, `--data-dir=${dataDirOf(dir)}`])
  key = /pp_[\w-]+/.exec(stdout)![0]
  service = await startWithNpx(dir, 'page-preview-server')
  const examples = (await (await fetch(`${service.free}/playground/examples.json`)).json()) as { url: string }[]
  target = `${new URL(examples[0]!.url).origin}/`
  await untilCaptured(service.free, target)
  chromium = await launchChromium()
})
afterAll(async () => {
  await chromium.close()
  await service.stop()
  await rm(dir, { recursive: true })
})

/** The code with the addresses of this test in place of the default ports and of those that only a reader has. */
function withOwnAddresses(code: string): string {
  const demo = new URL(target).origin
  return code
    .replaceAll(/http:\/\/127\.0\.0\.1:3000|https:\/\/previews\.example\.com/g, service.free)
    .replaceAll('https://pro.example.com', service.pro)
    .replaceAll('http://127.0.0.1:3002', demo)
    .replaceAll(/http%3A%2F%2F127\.0\.0\.1%3A3002/g, encodeURIComponent(demo))
    .replaceAll(/https%3A%2F%2Fexample\.com(%2F)?/g, encodeURIComponent(target))
    .replaceAll(/https:\/\/example\.com\/?/g, target)
    .replaceAll(/(?<=')example\.com(?=')/g, new URL(target).host)
}

describe('a new app of Vite with the React Compiler', () => {
  const app = appDir('fresh-vite')
  const components = [
    ...['README.md', 'stories/docs/getting-started.mdx', 'stories/docs/react.mdx'].flatMap(componentsOf),
    ...componentsOf('stories/docs/parts.mdx').filter(({ component }) => component === 'Card'),
  ]
  /** It stands around those that name no service. */
  const provider = components.find(({ component }) => component === 'Previews')!
  const snippets = components.filter((snippet) => snippet !== provider)

  beforeAll(async () => {
    const files = components.map(({ name, code }) => [`src/snippets/${name}.tsx`, code])
    await writeSnippets(app, ['src/snippets'], Object.fromEntries(files) as Record<string, string>)
    await buildApp('fresh-vite')
  })

  it('is clean for ESLint with the rules of React', () => expectLintClean(app))

  describe.each(MODES)('in %s', (mode) => {
    const vite = 'node_modules/vite/bin/vite.js'
    let host: AppHost
    beforeAll(async () => {
      const command = mode === 'development' ? [vite] : [vite, 'preview']
      const port = String(await freePort())
      const args = [...command, '--host=127.0.0.1', `--port=${port}`, '--strictPort']
      host = await appServer(app, args, { NODE_ENV: mode }, /Local: .*\n/)
    })
    afterAll(() => host.close())

    it.each(snippets.map((snippet): [string, Snippet] => [snippet.block, snippet]))(
      'shows what the component at %s promises, with a clean console',
      async (_, { name, code }) => {
        const search = new URLSearchParams({ component: name, url: target })
        if (!code.includes('endpoint=')) search.append('component', provider.name)
        await expectPreviews(`${host.url}/?${search}`, mode)
      },
    )

    if (mode === 'development')
      it('compiles the components with the React Compiler', async () => {
        const sent = await (await fetch(`${host.url}/src/snippets/${snippets[0]!.name}.tsx`)).text()
        expect(sent).toContain('compiler-runtime')
      })
  })
})

/** The guide for Next, block by block. */
const nextGuide = ['tsx', 'ts', 'jsx'].flatMap((language) => blocksOf('stories/docs/nextjs.mdx', language))
const [nextLayout, nextProxy, nextRoute, nextPage, ...cachedPages] = nextGuide

describe('a new app of Next', () => {
  const app = appDir('fresh-next')
  const components = ['README.md', 'stories/docs/server-components.mdx'].flatMap(componentsOf)
  /** It is in the layout of the app. */
  const providers = components.find(({ component }) => component === 'Providers')!
  const snippets = components.filter((snippet) => snippet !== providers)
  const [proxy] = blocksOf('stories/docs/proxy.mdx', 'ts')
  const [mount] = pages
    .find(({ path }) => path === 'stories/docs/proxy.mdx')!
    .inlineCode.filter((code) => code.startsWith('export const GET'))

  beforeAll(async () => {
    await writeSnippets(app, ['app/(snippets)', 'lib', 'snippets'], {
      ...Object.fromEntries(snippets.map(({ name, code }) => [`snippets/${name}.tsx`, code])),
      'snippets/proxy.ts': proxy!.code,
      'snippets/providers.tsx': providers.code,
      'snippets/nextjs.jsx': nextPage!.code,
      'lib/previews.ts': nextProxy!.code,
      'app/(snippets)/page-preview/[[...path]]/route.ts': `import { proxy } from '../../../../snippets/proxy'\n\n${mount}\n`,
      'app/(snippets)/nextjs/page.tsx': "export { default } from '../../../snippets/nextjs'\n",
      ...Object.fromEntries(
        snippets.map(({ name, component }) => [
          `app/(snippets)/${name}/page.tsx`,
          `export { ${component} as default } from '../../../snippets/${name}'\n`,
        ]),
      ),
    })
    await buildApp('fresh-next', serviceOfApp())
  })

  it('is clean for ESLint with the rules of React and Next', () => expectLintClean(app))

  testNextApp(app, '.', [
    ...snippets.map(({ block, name }): [string, string] => [block, name]),
    [nextPage!.name, 'nextjs'],
  ])
})

describe('a new app of Next with Cache Components', () => {
  const dir = join(appDir('fresh-next'), 'cache-components')
  const cached = cachedPages.map(({ name, code }, index) => ({ block: name, name: `cached-${index + 1}`, code }))

  beforeAll(async () => {
    await writeSnippets(dir, ['app', 'lib', 'snippets'], {
      'app/layout.tsx': nextLayout!.code,
      'lib/previews.ts': nextProxy!.code,
      'app/page-preview/[[...path]]/route.ts': nextRoute!.code,
      ...Object.fromEntries(
        cached.flatMap(({ name, code }) => [
          [`snippets/${name}.jsx`, code],
          [`app/${name}/page.tsx`, `export { default } from '../../snippets/${name}'\n`],
        ]),
      ),
    })
    await cp(join(appDir('fresh-next'), 'app/icon.svg'), join(dir, 'app/icon.svg'))
    await buildApp('fresh-next', serviceOfApp(), 'build:cache-components')
  })

  testNextApp(
    appDir('fresh-next'),
    'cache-components',
    cached.map(({ block, name }) => [block, name]),
  )
})

/** The service as the environment of an app has it. */
const serviceOfApp = () => ({ PAGE_PREVIEW_ENDPOINT: service.pro, PAGE_PREVIEW_API_KEY: key })

/** @param snippets  Where they stand in the documentation, and their paths in the app. */
function testNextApp(app: string, folder: string, snippets: [string, string][]): void {
  describe.each(MODES)('in %s', (mode) => {
    let host: AppHost
    beforeAll(async () => {
      const command = ['node_modules/next/dist/bin/next', mode === 'development' ? 'dev' : 'start', folder]
      host = await appServer(app, [...command, '-H', '127.0.0.1', '-p', String(await freePort())], {
        NODE_ENV: mode,
        NEXT_TELEMETRY_DISABLED: '1',
        ...serviceOfApp(),
      })
      // With the hosts that its proxy allows, which is another entry of the cache.
      await fetch(`${host.url}/page-preview?${new URLSearchParams({ url: target, screenshot: 'true' })}`)
      // Under development it compiles with the first request, which takes longer than browsers wait on a busy machine.
      await fetch(`${host.url}/${snippets[0]![1]}`)
    })
    afterAll(() => host.close())

    it.each(snippets)('shows what the component at %s promises, with a clean console', (_, path) =>
      expectPreviews(`${host.url}/${path}`, mode),
    )

    it.each(snippets)('has the title of the page in the markup of the component at %s', async (_, path) => {
      const html = await (await fetch(`${host.url}/${path}`)).text()
      expect(html.replaceAll(/<script.*?<\/script>/gs, '')).toContain('Nightjar')
    })
  })
}

describe('without an app', () => {
  const html = ['README.md', 'getting-started', 'script-tag', 'without-react']
    .map((page) => (page.endsWith('.md') ? page : `stories/docs/${page}.mdx`))
    .flatMap((page) => blocksOf(page, 'html').slice(0, page.endsWith('script-tag.mdx') ? 1 : 2))
    .map(({ name, code }): [string, string] => [name, code])

  it.each(html)('shows what the HTML at %s promises, with a clean console', async (_, code) => {
    const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mine</title><link rel="icon" href="data:,"><body>${withOwnAddresses(code)}`
    const host = await listenAsHost((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(body)
    })
    await expectPreviews(host.url, 'production')
    await host.close()
  })

  it.each(
    blocksOf('stories/docs/getting-started.mdx', 'sh')
      .slice(2)
      .map(({ name, code }): [string, string] => [name, code]),
  )('prints the title of the page with the commands at %s', async (_, code) => {
    expect((await run('sh', ['-ec', withOwnAddresses(code)])).stdout).toContain('Nightjar')
  })

  it.each(
    ['stories/docs/getting-started.mdx', 'stories/docs/react.mdx'].map((page): [string, CodeBlock] => {
      const [block] = blocksOf(page, 'ts')
      return [block!.name, block!]
    }),
  )('prints the title of the page with the program at %s', async (_, { code }) => {
    await writeFile(join(dir, 'program.js'), withOwnAddresses(code))
    expect((await run(process.execPath, ['program.js'])).stdout).toContain('Nightjar')
  })
})

interface Snippet {
  /** `react-1`, for the first of `react.mdx`. */
  name: string
  /** Where it stands. */
  block: string
  code: string
  /** What it exports. */
  component: string
}

/** Every component of a page that stands alone in a file. */
const componentsOf = (page: string): Snippet[] =>
  blocksOf(page, 'tsx').map(({ name, code }, index) => ({
    name: `${/(\w[\w-]*)\.mdx?$/.exec(page)![1]!.toLowerCase()}-${index + 1}`,
    block: name,
    code,
    component: /export (?:async )?(?:function|const) (\w+)/.exec(code)![1]!,
  }))

/**
 * Writes code into an app, with the addresses of this test.
 *
 * @param folders  Those that have nothing else.
 * @param files    Code by path.
 */
async function writeSnippets(app: string, folders: string[], files: Record<string, string>): Promise<void> {
  for (const folder of folders) await rm(join(app, folder), { recursive: true, force: true })
  for (const [path, code] of Object.entries(files)) {
    await mkdir(dirname(join(app, path)), { recursive: true })
    await writeFile(join(app, path), withOwnAddresses(code))
  }
}

/** Both are empty: no rule is broken and nothing is deprecated. */
async function expectLintClean(app: string): Promise<void> {
  const lint = promisify(execFile)(process.execPath, ['node_modules/eslint/bin/eslint.js', '--max-warnings=0'], {
    cwd: app,
  })
  const result = await lint.catch((error: { stdout: string; stderr: string }) => error)
  expect(result.stdout + result.stderr).toBe('')
}

/** The page shows previews of the sample site, and nothing has complained about anything. */
async function expectPreviews(url: string, mode: (typeof MODES)[number]): Promise<void> {
  const { page, complaints } = await openApp(chromium, url)
  await untilPreviews(page).catch(async (error: unknown) => {
    const text = await page.$eval('body', (body) => body.innerText)
    throw new Error([`No preview: ${text}`, ...complaints].join('\n'), { cause: error })
  })
  await page.waitForNetworkIdle({ idleTime: 100 })
  // In development Vite and React also say what is well, and React mounts everything twice, which aborts the first request.
  const isExpected = /^(debug|info|log): |net::ERR_ABORTED$/
  const counts = mode === 'production' ? complaints : complaints.filter((text) => !isExpected.test(text))
  expect(counts).toEqual([])
  await page.browserContext().close()
}

/** Waits until the page or its frame shows no placeholder and no failure, and a title of the sample site or an image. */
async function untilPreviews(page: Page): Promise<unknown> {
  const iframe = await page.$('iframe')
  const frame = (await iframe?.contentFrame()) ?? page
  return frame.waitForFunction(() => {
    const roots: ParentNode[] = [document]
    for (const { shadowRoot } of document.querySelectorAll('page-preview')) if (shadowRoot) roots.push(shadowRoot)
    const within = (selector: string) => roots.flatMap((root) => [...root.querySelectorAll<HTMLElement>(selector)])
    const images = within('img') as HTMLImageElement[]
    return (
      within('[data-status=loading], [data-status=failed], [data-pending]').length === 0 &&
      images.every((image) => image.complete && image.naturalWidth > 0) &&
      (images.length > 0 || document.body.textContent.includes('Nightjar'))
    )
  }, WAIT_OPTIONS)
}

const run = (command: string, args: string[]) =>
  promisify(execFile)(command, args, { cwd: dir, env: { ...process.env, PAGE_PREVIEW_ENDPOINT: service.free } })
