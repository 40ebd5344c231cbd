import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** A process of the cluster, which can be taken away and started again at the same ports. */
export interface Member {
  name: string
  pid: number
  /** Where it reports its health and its metrics. */
  adminUrl: string
  /** Starts it again once it has ended. */
  start(env?: NodeJS.ProcessEnv): Promise<void>
  /** Ends it as a deployment does. */
  stop(): Promise<void>
  /** Ends it without a goodbye, as a crash does. */
  kill(): Promise<void>
  /** Stops responding, with its ports open, until it is resumed. */
  pause(): void
  resume(): void
  /** The value of a metric, summed over its series whose labels contain a text. */
  metric(name: string, labels?: string): Promise<number>
  log(): string
}

export interface MemberOptions {
  name: string
  command: readonly string[]
  env: NodeJS.ProcessEnv
  adminUrl: string
  /** Of `adminUrl`; 200 when it is ready. */
  readyPath: string
  stopSignal: NodeJS.Signals
}

const START_TIMEOUT_MS = 90_000
const REQUEST_TIMEOUT_MS = 5_000
const POLL_MS = 20
const MAX_LOG_CHARS = 100_000

/** @throws {Error} with its output when it ends before it is ready. */
export async function startMember(options: MemberOptions): Promise<Member> {
  const { name, command, env, adminUrl, readyPath, stopSignal } = options
  const [program = '', ...args] = command
  let child: ChildProcess
  let output = ''
  const record = (chunk: Buffer) => void (output = (output + String(chunk)).slice(-MAX_LOG_CHARS))

  async function start(extraEnv: NodeJS.ProcessEnv = {}) {
    child = spawn(program, args, { env: { ...env, ...extraEnv }, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout!.on('data', record)
    child.stderr!.on('data', record)
    let lastAnswer = ''
    const isReady = async () => {
      try {
        const response = await fetch(`${adminUrl}${readyPath}`, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) })
        lastAnswer = await response.text()
        return response.ok
      } catch (error) {
        lastAnswer = String(error)
        return false
      }
    }
    const deadline = performance.now() + START_TIMEOUT_MS
    while (!(await isReady())) {
      if (hasEnded() || performance.now() > deadline) {
        await end('SIGKILL')
        throw new Error(`${name} is not ready (${lastAnswer}): ${output}`)
      }
      await delay(POLL_MS)
    }
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  async function end(signal: NodeJS.Signals) {
    if (hasEnded()) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }

  await start()
  return {
    name,
    adminUrl,
    get pid() {
      return child.pid!
    },
    start,
    stop: () => end(stopSignal),
    kill: () => end('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async metric(metric, labels = '') {
      const text = await (await fetch(`${adminUrl}/metrics`)).text()
      const lines = text.split('\n').filter((line) => line.startsWith(metric) && line.includes(labels))
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    },
    log: () => output,
  }
}
