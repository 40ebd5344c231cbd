interface Edge {
  from: string
  to: string
}

/**
 * Finds what leads back to itself in a directed graph.
 *
 * @returns  One line per circle found, `a → b → a`; none when the graph has no circle.
 */
export function findCircles(edges: readonly Edge[]): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  const circles: string[] = []
  const finished = new Set<string>()

  function visit(node: string, path: readonly string[]): void {
    const start = path.indexOf(node)
    if (start >= 0) {
      circles.push([...path.slice(start), node].join(' → '))
      return
    }
    if (finished.has(node)) return
    for (const target of targets.get(node) ?? []) visit(target, [...path, node])
    finished.add(node)
  }

  for (const node of targets.keys()) visit(node, [])
  return circles
}
