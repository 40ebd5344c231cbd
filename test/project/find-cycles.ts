interface Edge {
  from: string
  to: string
}

/**
 * Finds the cycles of a directed graph.
 *
 * @returns  One line per cycle, `a → b → a`; none when the graph has no cycle.
 */
export function findCycles(edges: readonly Edge[]): string[] {
  const targets = new Map<string, Set<string>>()
  for (const { from, to } of edges) targets.set(from, (targets.get(from) ?? new Set()).add(to))
  const cycles: string[] = []
  const finished = new Set<string>()

  function visit(node: string, path: readonly string[]): void {
    const start = path.indexOf(node)
    if (start >= 0) {
      cycles.push([...path.slice(start), node].join(' → '))
      return
    }
    if (finished.has(node)) return
    for (const target of targets.get(node) ?? []) visit(target, [...path, node])
    finished.add(node)
  }

  for (const node of targets.keys()) visit(node, [])
  return cycles
}
