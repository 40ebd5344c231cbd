import type { PageResponse } from '../../query/index.js'

/** Sound and film are played from where they are, once somebody asks for it: the service keeps none that is long. */
const SHOWN = ['image', 'logo'] as const

/**
 * Fetches an answer, and has it name the service for what a page is shown with: nothing is asked of anybody else, who would learn
 * of the visit, and a policy need not allow it.
 */
export async function fetchAnswer(
  url: RequestInfo | URL,
  init?: RequestInit,
  tell?: (answer: Partial<PageResponse>) => void,
): Promise<Response> {
  const given = await fetch(url, init)
  let text = await given.text()
  if (given.ok)
    try {
      const answer = JSON.parse(text) as Partial<PageResponse>
      const asked = given.url.replace(/(?<=[?&])force=[^&]*&/, '')
      // What is signed, or asked for with a key in the headers, cannot be asked for by an address of ours.
      if (!/[?&]signature=/.test(asked) && !new Headers(init?.headers).has('x-api-key'))
        for (const field of SHOWN) {
          const medium = answer.data?.[field]
          if (medium) medium.url = `${asked}&embed=${field}.url`
        }
      tell?.(answer)
      text = JSON.stringify(answer)
    } catch {
      // Whoever takes it says what is wrong.
    }
  return Object.defineProperty(new Response(text, given), 'url', { value: given.url })
}
