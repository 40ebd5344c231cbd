import type { PageScript } from './in-page/page-script.js'
import type { OpenPage } from './open-page.js'

/** Of the isolated world. */
export const WORLD_NAME = 'page-preview'

/** Messages of Chromium when the document was replaced before the script ran or returned. */
const REPLACED = /Cannot find context|context was destroyed|navigated or closed/

export class DocumentReplacedError extends Error {
  override readonly name = 'DocumentReplacedError'
  constructor(options?: { cause: unknown }) {
    super('The document was replaced by another one.', options)
  }
}

/**
 * Runs one of the functions in `in-page` in an isolated world, out of reach of the page's scripts. That works with
 * `javascript=false` too, except that timers do not fire.
 *
 * @param script  Sent as text, so it may use its parameters and the page only; a `PageScript` also its helpers. Promises are awaited.
 * @param args    JSON, as is the result.
 * @throws        {DocumentReplacedError} when the document is replaced before the script returns; {Error} when the script throws.
 */
export async function runInPage<Args extends unknown[], Result>(
  { session, frameId }: Pick<OpenPage, 'session' | 'frameId'>,
  script: ((...args: Args) => Result) | PageScript<Args, Result>,
  ...args: Args
): Promise<Awaited<Result>> {
  try {
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId,
      worldName: WORLD_NAME,
    })
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      expression: `${textOf(script)}(...${JSON.stringify(args)})`,
      contextId: executionContextId,
      awaitPromise: true,
      returnByValue: true,
      userGesture: false,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  } catch (cause) {
    if (cause instanceof Error && REPLACED.test(cause.message)) throw new DocumentReplacedError({ cause })
    throw cause
  }
}

/** An expression whose value is the function. */
export function textOf<Args extends unknown[], Result>(
  script: ((...args: Args) => Result) | PageScript<Args, Result>,
): string {
  if (typeof script === 'function') return `(${script.toString()})`
  const helpers = script.helpers.map((helper) => `const ${helper.name} = ${helper.toString()}`)
  return `(() => {\n${helpers.join('\n')}\nreturn ${script.run.toString()}\n})()`
}

/** Like `runInPage`, but `undefined` when the document is replaced while the script runs. */
export async function runUnlessReplaced<Args extends unknown[], Result>(
  page: Pick<OpenPage, 'session' | 'frameId'>,
  script: ((...args: Args) => Result) | PageScript<Args, Result>,
  ...args: Args
): Promise<Awaited<Result> | undefined> {
  try {
    return await runInPage(page, script, ...args)
  } catch (error) {
    if (error instanceof DocumentReplacedError) return undefined
    throw error
  }
}
