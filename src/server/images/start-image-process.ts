import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { PageError } from '../../query/index.js'
import { withoutInheritedFiles } from '../processes/index.js'
import type { ImageTasks } from './tasks/index.js'

export interface ImageRequest {
  task: keyof ImageTasks
  args: readonly unknown[]
  /** Images: the tiles of a screenshot, which the first argument lacks, or what replaces the first arguments. */
  inputs?: readonly ImageInput[] | undefined
}

/** The bytes of an image, or a stream of them that is read as fast as the process accepts it. */
export type ImageInput = Uint8Array | AsyncIterable<Uint8Array>

/**
 * Images are sent in pieces before the request, because the main thread is blocked while a message is written, and needs as much
 * memory again for all of it.
 */
export type ImageMessage = { piece: Uint8Array } | { isEndOfInput: true } | Omit<ImageRequest, 'inputs'>

export type ImageResponse =
  | { status: 'ready' }
  | { status: 'done'; result: unknown }
  | { status: 'failed'; message: string }
  | { status: 'too-large'; message: string }

/** A child process that runs one task at a time. */
export interface ImageProcess {
  /**
   * Runs a task; an abort ends the process.
   *
   * @throws  {PageError} `ETOOLARGE` when the task or its result needs too much memory, `EFATAL` when the process crashes; {Error} of the
   *          decoder. An aborted `signal` throws its reason, after the process has ended.
   */
  run(request: ImageRequest, signal: AbortSignal): Promise<unknown>
  /** Resolves when it has loaded its modules; never when it ends before. */
  ready: Promise<void>
  isRunning(): boolean
  /** Resolves when the process has ended. */
  end(): Promise<void>
}

/** The built script, or in tests its source. */
const SCRIPT = join(import.meta.dirname, `image-process${extname(import.meta.filename)}`)
/** Images are outside of the heap of V8. */
const MAX_HEAP_MB = 128
const PIECE_BYTES = 1_000_000
/** Needed by Windows to start any process. */
const ENVIRONMENT_NAMES = ['SystemRoot']

export interface StartImageProcessOptions {
  /** The process ends when it uses more memory. */
  maxRssBytes: number
  /** Default: the user of the service. */
  user?: { uid: number; gid: number } | undefined
  /** Whether what it prints to stderr is dropped. Default: false. */
  isQuiet?: boolean
}

export function startImageProcess({ maxRssBytes, user, isQuiet = false }: StartImageProcessOptions): ImageProcess {
  const child = fork(SCRIPT, [String(maxRssBytes)], {
    env: childEnvironment(process.env),
    execArgv: [...process.execArgv, `--max-old-space-size=${MAX_HEAP_MB}`],
    serialization: 'advanced',
    stdio: withoutInheritedFiles(['ignore', 'ignore', isQuiet ? 'ignore' : 'inherit', 'ipc']),
    // The user may not be allowed to enter the folder of the service.
    ...(user && { uid: user.uid, gid: user.gid, cwd: '/' }),
  })
  const exited = once(child, 'exit').catch(() => undefined)
  // A task keeps this process running, an idle child process does not.
  const keepRunning = (isBusy: boolean) => {
    for (const handle of [child, child.channel]) {
      if (isBusy) handle?.ref()
      else handle?.unref()
    }
  }
  keepRunning(false)
  const ready = new Promise<void>((resolve) => {
    child.on('message', ({ status }: ImageResponse) => status === 'ready' && resolve())
  })
  const isRunning = () => child.connected && child.exitCode === null && child.signalCode === null
  return {
    ready,
    isRunning,
    async run(request, signal) {
      keepRunning(true)
      try {
        return await respond(child, request, signal)
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        if (!isRunning() || signal.aborted) {
          child.kill('SIGKILL')
          await exited
        }
        keepRunning(false)
      }
    },
    async end() {
      keepRunning(true)
      child.kill('SIGKILL')
      await exited
    },
  }
}

function respond(child: ChildProcess, request: ImageRequest, signal: AbortSignal): Promise<unknown> {
  const listening = new AbortController()
  return new Promise<unknown>((resolve, reject) => {
    const crash = (cause?: unknown) =>
      reject(new PageError('EFATAL', 'The process for images ended unexpectedly. Try again.', { cause }))
    const onMessage = (response: ImageResponse) => {
      if (response.status === 'done') resolve(response.result)
      else if (response.status === 'failed') reject(new Error(response.message))
      else if (response.status === 'too-large') reject(new PageError('ETOOLARGE', response.message))
    }
    child.on('message', onMessage).once('exit', crash).once('error', crash)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: listening.signal })
    listening.signal.addEventListener('abort', () =>
      child.off('message', onMessage).off('exit', crash).off('error', crash),
    )
    sendRequest(child, request).catch(crash)
  }).finally(() => listening.abort())
}

async function sendRequest(child: ChildProcess, { inputs = [], ...request }: ImageRequest): Promise<void> {
  const send = (message: ImageMessage) =>
    new Promise<void>((resolve, reject) => {
      child.send(message, (error) => (error ? reject(error) : resolve()))
    })
  for (const input of inputs) {
    for await (const piece of input instanceof Uint8Array ? piecesOf(input) : input) await send({ piece })
    await send({ isEndOfInput: true })
  }
  await send(request)
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) yield bytes.subarray(start, start + PIECE_BYTES)
}

function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(ENVIRONMENT_NAMES.flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
}
