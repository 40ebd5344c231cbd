import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { recommendedFlags } from '../../src/server/browser/chromium-flags.js'
import { chromiumEnvironment } from '../../src/server/browser/probe-chromium.js'
import { ensureChromium } from '../../src/server/browser/index.js'
import { freePort } from './free-port.js'

/** A Chromium that somebody else has started, as in another container. */
export interface RemoteChromium {
  port: number
  /** `http://127.0.0.1:PORT`, the same after a restart. */
  url: string
  isRunning(): boolean
  /** Lets it hang, with its connections open. */
  pause(): void
  kill(): Promise<void>
  /** Starts it again at the same port. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export interface RemoteChromiumOptions {
  /** Default: those that are recommended, for proxies on loopback. */
  flags?: readonly string[]
  /** Name by which it reaches the proxies. Default: 127.0.0.1. */
  proxyPublicHost?: string
}

/** Without its sandbox, because tests may run as root. */
export async function startRemoteChromium({
  proxyPublicHost = '127.0.0.1',
  flags = recommendedFlags(proxyPublicHost),
}: RemoteChromiumOptions = {}): Promise<RemoteChromium> {
  const chromium = await ensureChromium()
  const profile = await mkdtemp(join(tmpdir(), 'page-preview-remote-browser-'))
  const port = await freePort()
  const env = chromiumEnvironment(chromium)
  const args = [...flags, '--no-sandbox', `--remote-debugging-port=${port}`, `--user-data-dir=${profile}`]
  let child: ChildProcess

  const start = async () => {
    const started = spawn(chromium.path, args, { detached: true, env, stdio: ['ignore', 'ignore', 'pipe'] })
    child = started
    let stderr = ''
    for await (const text of started.stderr.setEncoding('utf8')) if ((stderr += text).includes('ws://')) return
    throw new Error(`Chromium has not started: ${stderr}`)
  }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    // The whole group, because a wrapper script may have launched the browser.
    process.kill(-child.pid!, 'SIGKILL')
    await exited
  }
  await start()
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    pause: () => void process.kill(-child.pid!, 'SIGSTOP'),
    kill,
    restart: start,
    async stop() {
      await kill()
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Forwards connections to another address of this machine, as in front of a Chromium that listens on loopback only. */
export async function forwardPort(port: number, address: string): Promise<{ port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1')
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()))
    }
    client.pipe(upstream).pipe(client)
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
}
