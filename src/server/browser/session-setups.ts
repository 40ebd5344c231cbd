import type { CDPSession } from 'puppeteer-core'

/** Configures the session of a page, or that of one of its frames or workers before it runs. */
export type SessionSetup = (session: CDPSession) => Promise<unknown>

/** Frames of other sites and workers have sessions of their own, to which no setting of the page's session applies. */
const ATTACHED_TYPES = ['iframe', 'worker', 'shared_worker', 'service_worker']

/** The setups of a page, applied to its session and to those of all frames and workers that it starts. */
export class SessionSetups {
  readonly #setups: SessionSetup[] = []
  /** Of the page, its frames and its workers. */
  readonly sessions = new Set<CDPSession>()
  #isStopped = false

  /** Applies all setups to a session and to those of its frames and workers, before their scripts run. */
  async attach(session: CDPSession): Promise<void> {
    if (this.#isStopped) return
    this.sessions.add(session)
    // Fails only when the frame or the worker is gone.
    session.on('sessionattached', (child) => void this.attach(child).catch(() => undefined))
    session.on('sessiondetached', (child) => void this.sessions.delete(child))
    await Promise.all([
      // Response bodies are never read here, so the browser need not buffer them.
      session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      ...this.#setups.map((setup) => setup(session)),
      session.send('Target.setAutoAttach', {
        autoAttach: true,
        // A worker could send thousands of requests before its first one is counted.
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: ATTACHED_TYPES.map((type) => ({ type })),
      }),
      session.send('Runtime.runIfWaitingForDebugger'),
    ])
  }

  /** Adds a setup, and applies it to the sessions that are attached already. */
  async add(setup: SessionSetup): Promise<void> {
    this.#setups.push(setup)
    await Promise.all([...this.sessions].map(setup))
  }

  /** Ends the processes of the page and its frames at once. */
  crash(): void {
    // Fails only for workers, and for what is gone.
    for (const session of this.sessions) session.send('Page.crash').catch(() => undefined)
  }

  /** Applies nothing to further frames and workers, because the page is being closed. */
  stop(): void {
    this.#isStopped = true
  }
}
