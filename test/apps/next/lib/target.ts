/** The page to preview. */
export const target = process.env.TARGET ?? 'https://example.com/'
