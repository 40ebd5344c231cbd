interface TableFormat {
  /** Widest a column may be padded to. Default: as wide as its longest cell. */
  maxWidth?: number
}

/** Aligns the columns of a table with spaces. */
export function formatTable(rows: readonly (readonly string[])[], { maxWidth = Infinity }: TableFormat = {}): string[] {
  const widths = rows[0]?.map((_, column) => Math.min(maxWidth, Math.max(...rows.map((row) => row[column]!.length))))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths![column]!))
      .join('  ')
      .trimEnd(),
  )
}
