import type { PageError } from '../../query/index.js'
import { englishReasons } from './english-reasons.js'
import type { Messages } from './messages.js'

/** One sentence for the reader that explains why there is no preview. */
export function failureMessage(
  { failed, reasons: callerReasons }: Pick<Messages, 'failed'> & Partial<Messages>,
  { code, data }: PageError,
): string {
  const reasons = { ...englishReasons, ...callerReasons }
  const detailedCode = `${code}.${data?.element}` as keyof Messages['reasons']
  return failed(reasons[detailedCode] ?? reasons[code] ?? reasons.EFATAL ?? code)
}
