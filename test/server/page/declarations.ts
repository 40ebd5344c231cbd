// Markup that declares the metadata of a page.

export const meta = (property: string, content: string): string => `<meta property="${property}" content="${content}">`

/** @param name  Without `og:`. */
export const og = (name: string, content: string): string => meta(`og:${name}`, content)

export const jsonLd = (data: unknown): string => `<script type="application/ld+json">${JSON.stringify(data)}</script>`
