/** For text and quoted values; line breaks too, so that the column of an element in one line is its offset. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"\r\n]/g, (character) => `&#${character.codePointAt(0)};`)
