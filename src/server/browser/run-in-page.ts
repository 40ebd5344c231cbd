import type { OpenPage } from './open-page.js'

/**
 * Runs one of our own scripts in a world of its own, where the page's scripts have changed nothing.
 * It works with `javascript=false` too, but timers do not fire there.
 *
 * @param script  Text of a function, for it runs elsewhere; promises are awaited, the result is JSON.
 * @throws        {Error} when the document is replaced meanwhile, or the script throws.
 */
export async function runInPage<Result>(
  { session, frameId }: OpenPage,
  script: string,
  ...args: unknown[]
): Promise<Result> {
  const { executionContextId } = await session.send('Page.createIsolatedWorld', { frameId, worldName: 'page-preview' })
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `(${script})(...${JSON.stringify(args)})`,
    contextId: executionContextId,
    awaitPromise: true,
    returnByValue: true,
    userGesture: false,
  })
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
  return result.value
}
