/** A script of the world, with a package of Debian and Ubuntu that has a font for it. */
export interface WritingSystem {
  name: string
  /** One that every font for the script has. */
  sample: string
  /** The block of Unicode that texts in this script use: first and last code point. */
  from: number
  to: number
  package: string
}

const NOTO = 'fonts-noto-core'
const CJK = 'fonts-noto-cjk'

/** By their blocks; every browser has a font for Latin. */
export const writingSystems: readonly WritingSystem[] = [
  { name: 'Greek', sample: 'φ', from: 0x370, to: 0x3ff, package: NOTO },
  { name: 'Cyrillic', sample: 'ж', from: 0x400, to: 0x52f, package: NOTO },
  { name: 'Armenian', sample: 'Ա', from: 0x530, to: 0x58f, package: NOTO },
  { name: 'Hebrew', sample: 'א', from: 0x590, to: 0x5ff, package: NOTO },
  { name: 'Arabic', sample: 'م', from: 0x600, to: 0x77f, package: NOTO },
  { name: 'Devanagari', sample: 'क', from: 0x900, to: 0x97f, package: NOTO },
  { name: 'Bengali', sample: 'ক', from: 0x980, to: 0x9ff, package: NOTO },
  { name: 'Gurmukhi', sample: 'ਕ', from: 0xa00, to: 0xa7f, package: NOTO },
  { name: 'Gujarati', sample: 'ક', from: 0xa80, to: 0xaff, package: NOTO },
  { name: 'Odia', sample: 'କ', from: 0xb00, to: 0xb7f, package: NOTO },
  { name: 'Tamil', sample: 'க', from: 0xb80, to: 0xbff, package: NOTO },
  { name: 'Telugu', sample: 'క', from: 0xc00, to: 0xc7f, package: NOTO },
  { name: 'Kannada', sample: 'ಕ', from: 0xc80, to: 0xcff, package: NOTO },
  { name: 'Malayalam', sample: 'ക', from: 0xd00, to: 0xd7f, package: NOTO },
  { name: 'Sinhala', sample: 'ක', from: 0xd80, to: 0xdff, package: NOTO },
  { name: 'Thai', sample: 'ก', from: 0xe00, to: 0xe7f, package: NOTO },
  { name: 'Lao', sample: 'ກ', from: 0xe80, to: 0xeff, package: NOTO },
  { name: 'Tibetan', sample: 'ཀ', from: 0xf00, to: 0xfff, package: NOTO },
  { name: 'Burmese', sample: 'က', from: 0x1000, to: 0x109f, package: NOTO },
  { name: 'Georgian', sample: 'მ', from: 0x10a0, to: 0x10ff, package: NOTO },
  { name: 'Ethiopic', sample: 'አ', from: 0x1200, to: 0x137f, package: NOTO },
  { name: 'Khmer', sample: 'ក', from: 0x1780, to: 0x17ff, package: NOTO },
  { name: 'Japanese', sample: 'あ', from: 0x3040, to: 0x30ff, package: CJK },
  { name: 'Chinese', sample: '中', from: 0x4e00, to: 0x9fff, package: CJK },
  { name: 'Korean', sample: '한', from: 0xac00, to: 0xd7a3, package: CJK },
  { name: 'emoji', sample: '🗼', from: 0x1f300, to: 0x1faff, package: 'fonts-noto-color-emoji' },
]

/** Letters, and pictures in colour. */
const VISIBLE = /[\p{L}\p{Emoji_Presentation}]/u

/** The scripts beside Latin that a text uses. */
export function scriptsOf(text: string): WritingSystem[] {
  const found = new Set<WritingSystem>()
  for (const character of text) {
    const code = character.codePointAt(0)!
    if (code < 0x370) continue
    const system = writingSystems.find(({ from, to }) => code >= from && code <= to)
    if (system && !found.has(system) && VISIBLE.test(character)) found.add(system)
  }
  return [...found]
}
