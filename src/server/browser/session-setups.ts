import type { CDPSession } from 'puppeteer-core'

/** What is done with the session of a page, and with those of its frames and workers before they run. */
export type SessionSetup = (session: CDPSession) => Promise<unknown>

/** Frames of other sites and workers, to which no setting of the page's own session applies. */
const ATTACHED_TYPES = ['iframe', 'worker', 'shared_worker', 'service_worker']

/** The setups of a page and of everything that it starts. */
export class SessionSetups {
  readonly #setups: SessionSetup[] = []
  readonly #sessions = new Set<CDPSession>()

  /** Applies all setups to a session and to those below it, before what they control runs. */
  async attach(session: CDPSession): Promise<void> {
    this.#sessions.add(session)
    // Fails only when the frame or the worker is gone.
    session.on('sessionattached', (child) => void this.attach(child).catch(() => undefined))
    session.on('sessiondetached', (child) => void this.#sessions.delete(child))
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

  /** Adds a setup, and applies it to the sessions that there are. */
  async add(setup: SessionSetup): Promise<void> {
    this.#setups.push(setup)
    await Promise.all([...this.#sessions].map(setup))
  }
}
