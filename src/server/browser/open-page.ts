import type { CDPSession, Connection, Protocol } from 'puppeteer-core'
import type { CaptureBudget } from '../budget/index.js'
import { abortable } from './abortable.js'
import type { RunningBrowser } from './running-browser.js'

/** A page in its own browser context: it shares nothing with any other capture. */
export interface OpenPage {
  session: CDPSession
  /** The set-up of the page, its frames and its workers. */
  setups: SessionSetups
  /** The image file, which may be empty. @param signal  Gives up a screenshot that the browser does not respond with. */
  captureScreenshot: (options: Protocol.Page.CaptureScreenshotRequest, signal?: AbortSignal) => Promise<Buffer>
  /** The screenshot that the browser has not responded with yet. */
  pendingScreenshot: () => Promise<Buffer> | undefined
  /** Id of the main frame. */
  frameId: string
  /** Aborts when the tab crashes or closes, or the browser is gone. */
  gone: AbortSignal
  /** Whether it has used more of the network than a capture may; its requests fail from then on. */
  isOverBudget: () => boolean
  /** Lets the page and its frames read the position that is emulated. */
  allowGeolocation: () => Promise<void>
  /** Whether a target of DevTools is the page, or one of its frames and workers. */
  owns: (targetId: string) => boolean
  /** Closes the page because of what it does; `reason` may become known later. */
  end: (reason: Promise<Error | undefined>) => void
  /** The reason with which the page was ended; `undefined` if it was not. */
  endReason: () => Promise<Error | undefined>
  /** Disposes of the context, even while the page is busy. Never rejects. */
  close(): Promise<void>
}

/** The proxy that carries all requests of one page. */
export interface PageProxy {
  /** `http://127.0.0.1:PORT` */
  url: string
  budget: CaptureBudget | undefined
  close(): Promise<void>
}

export const TAB_CRASHED = 'The tab crashed'

/** Denies downloads, permissions, popups and dialogs; everything that the page loads goes through the proxy. */
export async function openPage(
  { connection, gone: browserGone, captureScreenshot }: RunningBrowser,
  { openProxy }: { openProxy: () => Promise<PageProxy> },
): Promise<OpenPage> {
  const proxy = await openProxy()
  const { browserContextId } = await connection
    .send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer: proxy.url,
      proxyBypassList: '<-loopback>',
    })
    .catch(async (error: unknown) => {
      await proxy.close()
      throw error
    })
  const popups = closePopups(connection, browserContextId)
  const setups = new SessionSetups()
  const sharedWorkers = attachToSharedWorkers(connection, browserContextId, setups)
  const targets = followTargets(connection, browserContextId, proxy.budget)
  const gone = new AbortController()
  let endReason: Promise<Error | undefined> | undefined
  const onBrowserGone = () => gone.abort(browserGone.reason)
  browserGone.addEventListener('abort', onBrowserGone)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= dispose())
  const dispose = async () => {
    popups.stop()
    sharedWorkers.stop()
    targets.stop()
    setups.stop()
    browserGone.removeEventListener('abort', onBrowserGone)
    gone.abort(new Error('The page was closed.'))
    // Fails only when the browser, and the context with it, is gone.
    await connection.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined)
    await proxy.close()
  }
  const end = (reason: Promise<Error | undefined>) => {
    endReason ??= reason
    // Its scripts may not let go of their processes for a while.
    setups.crash()
    void close()
  }
  proxy.budget?.exceeded.addEventListener('abort', () => end(Promise.resolve(proxy.budget?.exceeded.reason)))
  try {
    const targetId = await createTarget(connection, browserContextId)
    popups.except(targetId)
    const session = await attachToTarget(connection, targetId)
    session.once('Inspector.targetCrashed', () => gone.abort(new Error(`${TAB_CRASHED}.`)))
    session.once('Inspector.detached', () => gone.abort(new Error('The tab was closed.')))
    const { budget } = proxy
    if (budget) await countUsage(setups, budget)
    await Promise.all([prepareSession(session), setups.attach(session)])
    let pendingScreenshot: Promise<Buffer> | undefined
    const isOverBudget = () => budget?.exhausted.aborted ?? false
    const allowGeolocation = () =>
      connection.send('Browser.grantPermissions', { permissions: ['geolocation'], browserContextId })
    return {
      session,
      setups,
      captureScreenshot: (options, signal) => {
        const given = AbortSignal.any([gone.signal, ...(signal ? [signal] : [])])
        const screenshot = abortable(captureScreenshot(session, options, given), given).finally(() => {
          if (pendingScreenshot === screenshot) pendingScreenshot = undefined
        })
        pendingScreenshot = screenshot
        return screenshot
      },
      pendingScreenshot: () => pendingScreenshot,
      frameId: targetId,
      gone: gone.signal,
      isOverBudget,
      allowGeolocation,
      owns: targets.has,
      end,
      endReason: async () => endReason,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Closes every other page that appears in the context, once its own page is known. */
function closePopups(connection: Connection, browserContextId: string) {
  let ownTargetId: string | undefined
  const onTargetCreated = ({ targetInfo }: TargetCreated) => {
    const isPage = targetInfo.browserContextId === browserContextId && targetInfo.type === 'page'
    if (!isPage || !ownTargetId || targetInfo.targetId === ownTargetId) return
    // Fails only when the popup has already closed itself.
    connection.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => undefined)
  }
  connection.on('Target.targetCreated', onTargetCreated)
  return {
    except(targetId: string) {
      ownTargetId = targetId
    },
    stop: () => void connection.off('Target.targetCreated', onTargetCreated),
  }
}

/** Shared workers belong to no page, so a page's own session does not attach to them. */
function attachToSharedWorkers(connection: Connection, browserContextId: string, setups: SessionSetups) {
  const onTargetCreated = ({ targetInfo }: TargetCreated) => {
    const { targetId, type } = targetInfo
    if (type !== 'shared_worker' || targetInfo.browserContextId !== browserContextId) return
    // Fails only when the worker has already ended.
    attachToTarget(connection, targetId)
      .then((session) => setups.attach(session))
      .catch(() => undefined)
  }
  connection.on('Target.targetCreated', onTargetCreated)
  return { stop: () => void connection.off('Target.targetCreated', onTargetCreated) }
}

/** Counts what the browser reports of the targets of a context. */
function followTargets(connection: Connection, browserContextId: string, budget: CaptureBudget | undefined) {
  const targetIds = new Set<string>()
  const onCreated = ({ targetInfo }: TargetCreated) => {
    if (targetInfo.browserContextId !== browserContextId) return
    targetIds.add(targetInfo.targetId)
    budget?.countTarget('browser')
  }
  const onChanged = ({ targetInfo }: TargetCreated) => {
    if (targetInfo.browserContextId === browserContextId) budget?.countEvent()
  }
  connection.on('Target.targetCreated', onCreated)
  connection.on('Target.targetInfoChanged', onChanged)
  return {
    has: (targetId: string) => targetIds.has(targetId),
    stop() {
      connection.off('Target.targetCreated', onCreated)
      connection.off('Target.targetInfoChanged', onChanged)
    },
  }
}

interface TargetCreated {
  targetInfo: { browserContextId?: string; targetId: string; type: string }
}

async function createTarget(connection: Connection, browserContextId: string): Promise<string> {
  const [{ targetId }] = await Promise.all([
    connection.send('Target.createTarget', { url: 'about:blank', browserContextId }),
    connection.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
    // Granting none denies all: https://chromedevtools.github.io/devtools-protocol/tot/Browser/#method-grantPermissions
    connection.send('Browser.grantPermissions', { permissions: [], browserContextId }),
  ])
  return targetId
}

async function attachToTarget(connection: Connection, targetId: string): Promise<CDPSession> {
  const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true })
  const session = connection.session(sessionId)
  if (!session) throw new Error('The browser closed a page right after opening it.')
  return session
}

async function prepareSession(session: CDPSession): Promise<void> {
  session.on('Page.javascriptDialogOpening', ({ type }) => {
    session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined)
  })
  await Promise.all([
    session.send('Page.enable'),
    session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
    session.send('Inspector.enable'),
  ])
}

/** Configures the session of a page, or of one of its frames or workers before it runs. */
type SessionSetup = (session: CDPSession) => Promise<unknown>

/** Frames of other sites and workers have their own sessions, to which no setting of the page's session applies. */
const ATTACHED_TYPES = ['iframe', 'worker', 'shared_worker', 'service_worker']

/** The setups of a page, applied to its session and to the sessions of all frames and workers that it starts. */
export class SessionSetups {
  readonly #setups: SessionSetup[] = []
  /** DevTools sessions of the page, its frames and its workers. */
  readonly sessions = new Set<CDPSession>()
  #isStopped = false

  /** Applies all setups to a session and to the sessions of its frames and workers, before their scripts run. */
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

const OFFLINE = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 }

/**
 * Counts a page, its frames and its workers: their sessions, the events of these, and their requests, including those within an
 * HTTP/2 connection, of which the proxy sees only the tunnel. Takes all of them offline once the requests are used up, so that
 * further requests cost the service nothing.
 */
async function countUsage(setups: SessionSetups, budget: CaptureBudget): Promise<void> {
  // One listener for all: a page may start any number of workers, and Node warns of more than ten listeners.
  budget.exhausted.addEventListener('abort', () => void setups.add(goOffline), { once: true })
  await setups.add(async (session) => {
    budget.countTarget('session')
    session.on('*', () => budget.countEvent())
    session.on('Network.requestWillBeSent', () => budget.countRequest('page'))
  })
  if (budget.exhausted.aborted) await setups.add(goOffline)
}

async function goOffline(session: CDPSession): Promise<void> {
  // Both fail only when the page, the frame or the worker is gone.
  session.send('Network.emulateNetworkConditions', OFFLINE).catch(() => undefined)
  session.send('Fetch.disable').catch(() => undefined)
}
