import type { CardRequest } from './markup/index.js'

/** Orders requests so that hosts alternate, since a service captures few pages of one host at the same time. */
export function interleaveHosts(requests: readonly CardRequest[]): CardRequest[] {
  const turns = new Map<string, number>()
  return requests
    .map((request) => {
      const { host } = new URL(request.query.url)
      const turn = turns.get(host) ?? 0
      turns.set(host, turn + 1)
      return { request, turn }
    })
    .toSorted((one, other) => one.turn - other.turn)
    .map(({ request }) => request)
}
