import type { CDPSession, Connection } from 'puppeteer-core'

/** A page of its own context: nothing is shared with any other capture. */
export interface OpenPage {
  session: CDPSession
  /** Of the main frame. */
  frameId: string
  /** Aborts when the tab crashes or the browser is gone. */
  gone: AbortSignal
  /** Throws the context away, whatever the page is doing. Never rejects. */
  close(): Promise<void>
}

export interface OpenPageOptions {
  proxyUrl: string
}

/** Downloads, permissions, popups and dialogs are refused; everything that the page loads goes through the proxy. */
export async function openPage(connection: Connection, { proxyUrl }: OpenPageOptions): Promise<OpenPage> {
  const { browserContextId } = await connection.send('Target.createBrowserContext', {
    disposeOnDetach: true,
    proxyServer: proxyUrl,
    proxyBypassList: '<-loopback>',
  })
  const gone = new AbortController()
  const onTargetCreated = ({
    targetInfo,
  }: {
    targetInfo: { browserContextId?: string; targetId: string; type: string }
  }) => {
    const isPopup = targetInfo.browserContextId === browserContextId && targetInfo.type === 'page' && targetId
    // It may close by itself first, which is as good.
    if (isPopup && targetInfo.targetId !== targetId)
      connection.send('Target.closeTarget', { targetId: targetInfo.targetId }).catch(() => undefined)
  }
  const close = async () => {
    connection.off('Target.targetCreated', onTargetCreated)
    gone.abort(new Error('The page was closed.'))
    // Fails only when the browser is gone, and the context with it.
    await connection.send('Target.disposeBrowserContext', { browserContextId }).catch(() => undefined)
  }

  let targetId: string | undefined
  try {
    connection.on('Target.targetCreated', onTargetCreated)
    const [target] = await Promise.all([
      connection.send('Target.createTarget', { url: 'about:blank', browserContextId }),
      connection.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
      // Grants none, and so refuses all: https://chromedevtools.github.io/devtools-protocol/tot/Browser/#method-grantPermissions
      connection.send('Browser.grantPermissions', { permissions: [], browserContextId }),
    ])
    targetId = target.targetId
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true })
    const session = connection.session(sessionId)
    if (!session) throw new Error('The browser opened a page and lost it.')
    session.once('Inspector.targetCrashed', () => gone.abort(new Error('The tab crashed.')))
    session.once('Inspector.detached', () => gone.abort(new Error('The tab is gone.')))
    session.on('Page.javascriptDialogOpening', ({ type }) => {
      session.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined)
    })
    await Promise.all([
      session.send('Page.enable'),
      session.send('Page.setLifecycleEventsEnabled', { enabled: true }),
      // What the page loads is never read here, so nothing of it need be kept.
      session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
      session.send('Inspector.enable'),
    ])
    return { session, frameId: targetId, gone: gone.signal, close }
  } catch (error) {
    await close()
    throw error
  }
}
