// Covers Dockerfile, compose.yaml and seccomp.json: the built command runs here in the environment of the image.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readServeOptions, serveOptions } from '../../src/server/index.js'
import { optionVariable } from '../../src/command-line/index.js'
import { localSite, type LocalSite } from '../local-site.js'
import { freePort } from '../shared/free-port.js'

const root = resolve(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** Instructions of the Dockerfile's last stage, with their arguments. */
const imageInstructions = read('Dockerfile')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split(/^FROM .*\n/m)
  .at(-1)!
  .split('\n')
  .map((line) => /^(\w+) +(.*)$/.exec(line.trim())?.slice(1) as [string, string] | undefined)
  .filter((instruction) => instruction !== undefined)
const argumentsOf = (name: string) => imageInstructions.filter(([each]) => each === name).map(([, text]) => text)
const execForm = (text: string) => JSON.parse(/\[.*\]/.exec(text)![0]) as string[]

const imageEnvironment = Object.fromEntries(
  argumentsOf('ENV').flatMap((text) => text.split(/ +/).map((pair) => pair.split('=') as [string, string])),
)
const entrypoint = execForm(argumentsOf('ENTRYPOINT')[0]!)
const defaultArguments = execForm(argumentsOf('CMD')[0]!)
const healthcheck = execForm(argumentsOf('HEALTHCHECK')[0]!)
const serviceVariables = new Set([...Object.keys(serveOptions), 'signingSecret'].map(optionVariable))

/** The file that a command name stands for, by the package.json that declares it. */
function commandFile(command: string): string {
  for (const manifest of ['package.json', 'src/server/package.json'].filter((name) => existsSync(join(root, name)))) {
    const { bin = {} } = JSON.parse(read(manifest)) as { bin?: Record<string, string> }
    if (bin[command]) return join(dirname(manifest), bin[command])
  }
  throw new Error(`No package.json declares the command ${command}`)
}

describe('the image', () => {
  const file = commandFile(entrypoint.at(-1)!)
  let dir: string
  let site: LocalSite
  let service: ChildProcess
  let environment: Record<string, string>
  let output = ''
  /** Exit code of the image's health check in the environment of the service. */
  const checkHealth = async (variables: Record<string, string> = {}) => {
    const [, ...args] = healthcheck
    const check = spawn(process.execPath, args, { env: { ...environment, ...variables }, stdio: 'ignore' })
    return ((await once(check, 'exit')) as [number])[0]
  }

  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'page-preview-container-'))
    await Promise.all(['data', 'tmp', 'home', 'work'].map((name) => mkdir(join(dir, name))))
    // As a folder that is mounted.
    await chmod(join(dir, 'data'), 0o755)
    // As /tmp of the image: everybody may write there, also the user that runs the browser when this test runs as root.
    await Promise.all([chmod(dir, 0o711), chmod(join(dir, 'tmp'), 0o1777)])
    site = await localSite({ '/': '<title>A page</title><h1 id="hero">A page</h1>' })
    environment = {
      ...imageEnvironment,
      PATH: process.env.PATH!,
      HOME: join(dir, 'home'),
      TMPDIR: join(dir, 'tmp'),
      // Paths, addresses and the browser of this machine instead of the image's.
      PAGE_PREVIEW_HOST: '127.0.0.1',
      PAGE_PREVIEW_PORT: String(await freePort()),
      PAGE_PREVIEW_PRO_PORT: String(await freePort()),
      PAGE_PREVIEW_DATA_DIR: join(dir, imageEnvironment.PAGE_PREVIEW_DATA_DIR!),
      PAGE_PREVIEW_BROWSER: process.env.CHROMIUM_PATH ?? '',
      PAGE_PREVIEW_ALLOW_TARGET: site.host,
    }
    service = spawn(process.execPath, [join(root, file), ...defaultArguments], {
      cwd: join(dir, 'work'),
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    service.stdout!.on('data', (chunk) => (output += String(chunk)))
    await vi.waitUntil(() => output.includes('page-preview ready'), { timeout: 30_000 })
  })

  afterAll(async () => {
    if (service.exitCode === null) service.kill('SIGKILL')
    await site.close()
    await rm(dir, { recursive: true, force: true })
  })

  it('is healthy once the service is ready, and unhealthy if nothing listens', async () => {
    await expect.poll(() => checkHealth(), { timeout: 20_000 }).toBe(0)
    expect(await checkHealth({ PAGE_PREVIEW_PORT: String(await freePort()) })).toBe(1)
  })

  it('is unhealthy while the service is not ready', async () => {
    const notReady = await localSite({ '/readyz': (_, response) => void response.writeHead(503).end('{}') })
    expect(await checkHealth({ PAGE_PREVIEW_PORT: new URL(notReady.url).port })).toBe(1)
    expect(notReady.requests).toEqual(['GET /readyz'])
    await notReady.close()
  })

  it('takes screenshots, and writes to its volume and /tmp only', async () => {
    const parameters = new URLSearchParams({ url: `${site.url}/`, element: '#hero', embed: 'screenshot.url' })
    const response = await fetch(`http://127.0.0.1:${environment.PAGE_PREVIEW_PORT}/?${parameters}`)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(await readdir(join(dir, 'data'))).not.toEqual([])
    expect([await readdir(join(dir, 'home')), await readdir(join(dir, 'work'))]).toEqual([[], []])
  })

  it('exits with 0 on SIGTERM', async () => {
    service.kill('SIGTERM')
    expect(await once(service, 'exit')).toEqual([0, null])
    expect(await readdir(join(dir, 'tmp'))).toEqual([])
  })

  it('sets only variables that the service reads, and exposes its ports', () => {
    const ownVariables = Object.keys(imageEnvironment).filter((name) => name.startsWith('PAGE_PREVIEW_'))
    expect(ownVariables.filter((name) => !serviceVariables.has(name))).toEqual([])
    const { host, port, proPort, dataDir } = readServeOptions([], imageEnvironment)
    expect(host).toBe('0.0.0.0')
    expect(argumentsOf('EXPOSE')).toEqual([`${port} ${proPort}`])
    // A separate folder in the volume, because what is mounted there may be readable for others.
    expect(argumentsOf('VOLUME')).toEqual([dirname(dataDir!)])
  })

  it('links the command of its entrypoint, and runs it as a user other than root', () => {
    const names = imageInstructions.map(([name]) => name)
    expect(argumentsOf('RUN').join('\n')).toContain(`ln -s /app/${file} /usr/local/bin/${entrypoint.at(-1)}`)
    expect(argumentsOf('USER')).toEqual(['node'])
    expect(names.indexOf('USER')).toBeLessThan(names.indexOf('ENTRYPOINT'))
    expect(names.lastIndexOf('RUN')).toBeLessThan(names.indexOf('USER'))
  })

  it('is built by scripts of the package', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const used = [...read('Dockerfile').matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!)
    expect(used).toEqual(['build'])
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(used))
  })

  it('is built from files that exist and that .dockerignore lets through', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+)$/gm)].flatMap(([, names]) =>
      names!.split(' ').slice(0, -1),
    )
    expect(copied.length).toBeGreaterThan(0)
    expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([])
    const [first, ...patterns] = read('.dockerignore').split('\n')
    expect(first).toBe('*')
    const isLetThrough = (path: string) => patterns.some((pattern) => `${path}/`.startsWith(`${pattern.slice(1)}/`))
    expect(copied.map((name) => name.replace(/^\.\//, '')).filter((path) => !isLetThrough(path))).toEqual([])
  })
})

describe('compose.yaml', () => {
  const compose = read('compose.yaml')

  it('passes on variables that the service reads, and publishes its ports and its volume', () => {
    const passed = [...compose.matchAll(/^ +(PAGE_PREVIEW_\w+): \$\{\1:-\}$/gm)].map(([, name]) => name!)
    expect(passed.length).toBeGreaterThan(0)
    expect(passed.filter((name) => !serviceVariables.has(name))).toEqual([])
    // A variable that is not set on the host arrives as an empty string.
    expect(() => readServeOptions([], Object.fromEntries(passed.map((name) => [name, ''])))).not.toThrow()
    const { port, proPort, dataDir } = readServeOptions([], imageEnvironment)
    for (const each of [port, proPort]) expect(compose).toContain(`'${each}:${each}'`)
    expect(compose).toContain(`data:${dirname(dataDir!)}\n`)
  })

  it('allows the namespaces that the sandbox of Chromium needs, and nothing that only root needs', () => {
    const [, path] = /seccomp=(\S+)/.exec(compose)!
    const { syscalls } = JSON.parse(read(path!)) as { syscalls: { names: string[]; action: string }[] }
    const denied = syscalls.filter(({ action }) => action === 'SCMP_ACT_ERRNO').flatMap(({ names }) => names)
    expect(denied).toEqual(expect.arrayContaining(['mount', 'setns', 'bpf', 'init_module', 'keyctl', 'reboot']))
    expect(denied.filter((name) => /^(clone3?|unshare|chroot)$/.test(name))).toEqual([])
  })
})
