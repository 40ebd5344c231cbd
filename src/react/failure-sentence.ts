import type { PageError } from '../query/index.js'
import { englishReasons } from './messages/english-reasons.js'
import type { Messages } from './messages/index.js'

/** One plain sentence why there is no preview. */
export function failureSentence(
  { failed, reasons: given }: Pick<Messages, 'failed'> & Partial<Messages>,
  { code, data }: PageError,
): string {
  const reasons = { ...englishReasons, ...given }
  const detail = `${code}.${data?.element}` as keyof Messages['reasons']
  return failed(reasons[detail] ?? reasons[code] ?? reasons.EFATAL ?? code)
}
