// Covers stories/recipes/scale: the chart is rendered by Helm, its objects are compiled against the types of Kubernetes, and HAProxy reads its configuration.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { runCommand } from '../../src/server/child-processes.js'
import { readServeOptions } from '../../src/server/index.js'
import { findHelm } from '../shared/find-helm.js'
import { findServerProgram, HAPROXY, programEnvironment } from '../shared/find-server-program.js'
import { root } from './read-docs.js'

const CHART = join(root, 'stories/recipes/scale')
const TIMEOUT_MS = 30_000
/** What only a front may know. */
const FRONT_SECRETS = /redis|queue|s3\b|aws|signing|keys/i
const PRIVATE_V4 = ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16']
const PRIVATE_V6 = ['fc00::/7', 'fe80::/10']

interface PodSpec {
  automountServiceAccountToken: boolean
  enableServiceLinks: boolean
  terminationGracePeriodSeconds: number
  securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: { type: string } }
  containers: {
    args?: string[]
    env?: { name: string; value: string }[]
    livenessProbe: { httpGet: { path: string } }
    readinessProbe: { httpGet: { path: string } }
    resources: { requests: object; limits: object }
    securityContext: object
  }[]
  volumes: { name: string; secret?: { secretName: string } }[]
}
interface Rule {
  to?: { ipBlock?: { cidr: string; except: string[] }; podSelector?: { matchLabels: Record<string, string> } }[]
  from?: { podSelector?: { matchLabels: Record<string, string> } }[]
  ports?: { port: number }[]
}
interface KubernetesObject {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Record<string, string> }
  data?: Record<string, string>
  spec: { template: { spec: PodSpec }; replicas?: number; ingress: Rule[]; egress: Rule[] }
}

const [helm, haproxy] = await Promise.all([findHelm(), findServerProgram(HAPROXY)])
if ('missing' in helm) console.warn(`page-preview: the Helm chart is NOT tested: ${helm.missing}. Set HELM_PATH.`)

describe.skipIf('missing' in helm)('the Helm chart', async () => {
  if ('missing' in helm) return
  const runHelm = (...args: string[]) => runCommand(helm.path, args, { env: process.env, timeoutMs: TIMEOUT_MS })
  const text = await runHelm('template', 'previews', CHART, '--namespace', 'web')
  const objects = parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject)
  const find = (kind: string, part: string) =>
    objects.find((object) => object.kind === kind && object.metadata.name === `previews-${part}`)!
  const podOf = (part: string) => find('Deployment', part).spec.template.spec
  const egressOf = (part: string) => find('NetworkPolicy', part).spec.egress

  it('passes the linter of Helm', async () => {
    expect(await runHelm('lint', '--strict', '--quiet', CHART)).not.toContain('ERROR')
  })

  it('renders objects that have the types of the API, and no unknown property', { timeout: TIMEOUT_MS }, () => {
    expect(objects.length).toBeGreaterThan(15)
    const deployment = find('Deployment', 'front')
    const misspelled = { ...deployment, spec: { ...deployment.spec, replica: 1 } }
    expect(findTypeErrors([...objects, misspelled], helm.modules)).toEqual([expect.stringContaining('"replica"')])
  })

  it('gives a worker one secret as a file, and nothing that leads to Redis, the bucket or keys', () => {
    const { containers, volumes } = podOf('worker')
    expect(volumes.flatMap(({ secret }) => secret?.secretName ?? [])).toEqual(['page-preview-worker'])
    expect(containers).toHaveLength(1)
    expect(containers[0]!.env).toBeUndefined()
    expect(containers[0]!.args!.filter((argument) => FRONT_SECRETS.test(argument))).toEqual([])
    expect(containers[0]!.args).toContain('--worker-secret-file=/run/secrets/worker/worker-secret')
  })

  it('starts fronts and workers with options that they accept', () => {
    const optionsOf = (part: string) => readServeOptions(podOf(part).containers[0]!.args!.slice(1), {})
    expect(optionsOf('front')).toMatchObject({ role: 'front', workers: 'http://previews-haproxy:8000' })
    expect(optionsOf('worker')).toMatchObject({ role: 'worker', concurrency: 2, drainDelay: 2 })
  })

  it('passes a front its secrets as files', () => {
    const { args, env } = podOf('front').containers[0]!
    const values = [...args!, ...env!.map(({ name, value }) => `${name}=${value}`)]
    for (const value of values.filter((value) => FRONT_SECRETS.test(value))) expect(value).toContain('/run/secrets/')
    expect(env!.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['PAGE_PREVIEW_REDIS_FILE', 'PAGE_PREVIEW_QUEUE_FILE']),
    )
    expect(text).not.toMatch(/^kind: Secret$/m)
  })

  it('lets a worker reach the internet and DNS, but no private range of either family', () => {
    const [internet, dns, ...others] = egressOf('worker')
    expect(others).toEqual([])
    const blocks = Object.fromEntries(internet!.to!.map(({ ipBlock }) => [ipBlock!.cidr, ipBlock!.except]))
    expect(Object.keys(blocks)).toEqual(['0.0.0.0/0', '::/0'])
    expect(blocks['0.0.0.0/0']).toEqual(expect.arrayContaining(PRIVATE_V4))
    expect(blocks['::/0']).toEqual(expect.arrayContaining(PRIVATE_V6))
    expect(dns!.ports!.map(({ port }) => port)).toEqual([53, 53])
  })

  it('lets HAProxy alone reach workers, and fronts alone reach HAProxy', () => {
    const componentOf = ({ podSelector }: NonNullable<Rule['from']>[number]) =>
      podSelector?.matchLabels['app.kubernetes.io/component']
    const whoReaches = (part: string, port: number) =>
      find('NetworkPolicy', part)
        .spec.ingress.filter(({ ports }) => ports!.some((open) => open.port === port))
        .flatMap(({ from }) => from!.flatMap((peer) => componentOf(peer) ?? []))
    expect(whoReaches('worker', 3000)).toEqual(['haproxy'])
    expect(whoReaches('haproxy', 8000)).toEqual(['front'])
    expect(egressOf('front')[0]!.ports).toEqual([{ protocol: 'TCP', port: 8000 }])
    expect(egressOf('haproxy')[0]!.ports).toEqual([{ protocol: 'TCP', port: 3000 }])
  })

  it.each(['front', 'worker', 'haproxy'])(
    'runs a %s without root, with probes, limits and 37 seconds to end',
    (part) => {
      const pod = podOf(part)
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        terminationGracePeriodSeconds: 37,
        securityContext: { runAsNonRoot: true },
      })
      const [container] = pod.containers
      expect(container!.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      const ready = part === 'haproxy' ? '/healthz' : '/readyz'
      expect(container).toMatchObject({
        livenessProbe: { httpGet: { path: '/healthz' } },
        readinessProbe: { httpGet: { path: ready } },
        resources: {
          requests: { cpu: expect.anything() as unknown },
          limits: { memory: expect.anything() as unknown },
        },
      })
      if (part !== 'haproxy') expect(container!.args).toContain('--drain-delay=2')
      expect(find('PodDisruptionBudget', part)).toBeDefined()
      expect(find('ServiceMonitor', part)).toBeDefined()
    },
  )

  it('leaves the number of fronts and workers to their autoscalers', () => {
    expect(find('Deployment', 'front').spec.replicas).toBeUndefined()
    expect(find('Deployment', 'worker').spec.replicas).toBeUndefined()
    expect(find('HorizontalPodAutoscaler', 'front').spec).toMatchObject({ scaleTargetRef: { name: 'previews-front' } })
    expect(find('ScaledObject', 'worker').spec).toMatchObject({ scaleTargetRef: { name: 'previews-worker' } })
  })

  it('has the HAProxy that the drills run', () => {
    const config = find('ConfigMap', 'haproxy').data!['haproxy.cfg']!
    expect(config.trim()).toBe(readFileSync(join(CHART, 'haproxy.cfg'), 'utf8').trim())
    expect(podOf('haproxy').containers[0]!.env).toEqual([
      { name: 'WORKERS', value: 'previews-worker.web.svc.cluster.local' },
    ])
  })

  it('runs two HAProxies, each with half of the slots of a worker', () => {
    expect(find('Deployment', 'haproxy').spec.replicas).toBe(2)
    expect(podOf('worker').containers[0]!.args).toContain('--concurrency=2')
    expect(find('ConfigMap', 'haproxy').data!['haproxy.cfg']).toMatch(/default-server .* maxconn 1 /)
  })
})

describe.skipIf('missing' in haproxy)('HAProxy', () => {
  it.each(['haproxy.cfg', 'edge.cfg'])('accepts %s without a warning', async (name) => {
    if ('missing' in haproxy) return
    const env = { ...programEnvironment(haproxy.libraryPath), WORKERS: 'worker', FRONTS: 'front' }
    const output = await runCommand(haproxy.path, ['-c', '-dW', '-f', join(CHART, name)], {
      env,
      timeoutMs: TIMEOUT_MS,
    })
    expect(output).toContain('Configuration file is valid')
  })
})

describe('compose.scale.yaml', () => {
  interface ComposeService {
    command?: string[]
    environment?: Record<string, string>
    networks: string[]
    secrets?: string[]
    stop_grace_period?: string
  }
  const { services, networks } = parse(readFileSync(join(CHART, 'compose.scale.yaml'), 'utf8')) as {
    services: Record<string, ComposeService>
    networks: Record<string, { internal?: boolean }>
  }

  it('shares no network between workers and Redis or the bucket', () => {
    const { worker, redis, queue, s3, haproxy, front } = services
    expect(worker!.networks).toEqual(['workers'])
    for (const each of [redis, queue, s3]) expect(each!.networks).toEqual(['state'])
    expect(haproxy!.networks).toEqual(['captures', 'workers'])
    expect(front!.networks).not.toContain('workers')
    expect(networks.state).toEqual({ internal: true })
  })

  it('starts fronts and workers with options that they accept', () => {
    const credentials = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' }
    const optionsOf = (name: string) => readServeOptions(services[name]!.command!.slice(1), credentials)
    expect(optionsOf('front')).toMatchObject({ role: 'front', workers: 'http://haproxy:8000' })
    expect(optionsOf('worker')).toMatchObject({ role: 'worker', drainDelay: 2 })
  })

  it('sets ports as variables, which the health check of the image reads', () => {
    const ports = ['front', 'worker'].flatMap((name) => services[name]!.command!.filter((each) => /port/.test(each)))
    expect(ports).toEqual([])
    expect(services.front!.environment).toMatchObject({ PAGE_PREVIEW_ADMIN_PORT: '3003' })
  })

  it('keeps jobs in a Redis that evicts nothing', () => {
    expect(services.front!.command).toContain('--queue=redis://queue:6379')
    expect(services.queue!.command!.join(' ')).toContain('--maxmemory-policy noeviction --appendonly yes')
  })

  it('gives a worker its own secret alone', () => {
    const { worker } = services
    expect(worker!.secrets).toEqual(['worker'])
    expect(worker!.environment).toBeUndefined()
    expect(worker!.command!.filter((argument) => FRONT_SECRETS.test(argument))).toEqual([])
  })

  it.each(['front', 'worker', 'haproxy'])('ends a %s no earlier than its requests', (name) => {
    expect(services[name]!.stop_grace_period).toBe('37s')
  })
})

const packageOf = (apiVersion: string) => {
  if (apiVersion.startsWith('keda.sh/')) return '@kubernetes-models/keda'
  return apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models'
}

/** Compiles each object as a literal of its type, because the types refuse properties that they do not know, as `kubeconform -strict` does. */
function findTypeErrors(objects: readonly KubernetesObject[], modules: string): string[] {
  const path = join(modules, '../objects.ts')
  const code = objects
    .map((object, index) => {
      const { apiVersion, kind } = object
      return `import type { I${kind} as I${index} } from '${packageOf(apiVersion)}/${apiVersion}/${kind}'
export const object${index}: I${index} = ${JSON.stringify(object)}`
    })
    .join('\n')
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  }
  const host = ts.createCompilerHost(options)
  const onDisk = { ...host }
  host.fileExists = (name) => name === path || onDisk.fileExists(name)
  host.getSourceFile = (name, target, ...rest) =>
    name === path ? ts.createSourceFile(name, code, target) : onDisk.getSourceFile(name, target, ...rest)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([path], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
