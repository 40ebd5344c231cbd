import { optionVariable, readArguments, unknownFlag, UsageError, type Values } from '../command-line/index.js'
import { parseBrowserOption } from './browser/index.js'
import { serveOptions } from './serve-options.js'
import { isRedisUrl, parseBucketUrl, parseRedisUrl } from './store/index.js'

/** Validated options of `serve`; `storeMax` is in bytes, `drainDelay` in seconds. */
export interface ServeOptions extends Values<typeof serveOptions> {
  /** From the environment alone, because others can read the arguments of a process. */
  signingSecret?: string
  /** Options with a password among the arguments, which others can read in the list of processes. */
  exposedPasswords: string[]
}

/** Every mistake in the options of `serve`, one sentence each. */
export class OptionsError extends UsageError {
  override readonly name = 'OptionsError'
  constructor(readonly mistakes: readonly string[]) {
    super(mistakes.join('\n'))
  }
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Reads the options from flags; the environment supplies those without a flag.
 *
 * @throws  {OptionsError} with every mistake at once.
 */
export function readServeOptions(args: readonly string[], env: Env): ServeOptions {
  const options = {
    ...serveOptions,
    browser: { ...serveOptions.browser, parse: parseBrowserOption },
    redis: { ...serveOptions.redis, parse: checkedBy(parseRedisUrl) },
    keys: { ...serveOptions.keys, parse: (text: string) => (isRedisUrl(text) ? checkedBy(parseRedisUrl)(text) : text) },
    s3: { ...serveOptions.s3, parse: checkedBy((url) => parseBucketUrl(url, env)) },
  }
  const { values, operands, exposedPasswords, mistakes } = readArguments({ options }, args, env)
  mistakes.unshift(...operands.map((operand) => unknownFlag(operand, { options })))
  if (/^(0\.0\.0\.0|::)$/.test(values.proxyHost) && values.proxyPublicHost === undefined)
    mistakes.push(
      '--proxy-public-host is required with --proxy-host for all addresses: the name by which browsers reach it.',
    )
  if (mistakes.length > 0) throw new OptionsError(mistakes)
  const signingSecret = env[optionVariable('signingSecret')]
  return { ...values, ...(signingSecret && { signingSecret }), exposedPasswords }
}

/** The URL as it is written. Reasons do not contain it, because it may contain a password. */
const checkedBy = (parse: (url: string) => unknown) => (text: string) => {
  parse(text)
  return text
}
