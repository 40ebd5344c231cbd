const MAX_CHARS = 200

/** Quotes a text of a page or a request in a sentence; a long one is cut off, with an ellipsis. */
export function quote(text: string): string {
  const characters = text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS).replace(/\p{Surrogate}$/u, '')}…` : text
  return `"${characters.replace(/\s+/g, ' ')}"`
}
