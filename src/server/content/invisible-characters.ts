/** Controls, fillers, spaces without width, marks that turn the direction, tags, and characters that only one font knows. */
const INVISIBLE =
  /(?!\t|\n|\r|\u200c|\u200d|\ufe0e|\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Co}\p{Noncharacter_Code_Point}\ufff9-\ufffb]/gu
/** Between letters of the scripts that need them, and between emojis, joiners have an effect. */
const JOINERS =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\u0600-\u1cff])[\u200c\u200d]|[\u200c\u200d](?![\p{Extended_Pictographic}\u0600-\u1cff])/gu
/** One after an emoji, or in a key such as 1️⃣, has an effect. */
const VARIATION_SELECTORS = /(?<![\p{Extended_Pictographic}\d#*])[\ufe0e\ufe0f]|(?<=[\d#*])[\ufe0e\ufe0f](?!\u20e3)/gu

/** Removes the characters that have no shape of their own, which can hide a text in another one. @returns How many there were. */
export function removeInvisible(text: string): { text: string; removed: number } {
  let removed = 0
  const remove = () => {
    removed++
    return ''
  }
  const visible = [INVISIBLE, JOINERS, VARIATION_SELECTORS].reduce((left, each) => left.replace(each, remove), text)
  return { text: visible, removed }
}
