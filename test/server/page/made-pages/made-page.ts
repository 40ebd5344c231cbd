/** A page as publishing systems write it, and what a person would say about it. */
export interface MadePage {
  name: string
  url: string
  html: string
  expected: {
    title: string
    description: string | null
    author: string | null
    /** The day, UTC. */
    date: string | null
    publisher: string | null
    lang: string | null
  }
}
