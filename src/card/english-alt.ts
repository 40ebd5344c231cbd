/** English alternative text of a card's image, by kind. */
export const englishAlt = {
  screenshot: (host: string): string => `Screenshot of ${host}`,
  image: (host: string): string => `Picture of ${host}`,
} as const
