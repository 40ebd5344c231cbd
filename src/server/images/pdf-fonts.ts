import { readdirSync, readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { WrappedPdfiumModule } from '@embedpdf/pdfium'

/** A writing system that PDFium has no font for. */
interface CharacterSet {
  name: string
  /** Beginnings of the names of files with a font for it, in lower case. */
  files: readonly string[]
}

/** Fonts with all of them. */
const CJK = ['notosanscjk', 'sourcehansans', 'wqy-microhei', 'wqy-zenhei', 'droidsansfallback']
const JAPANESE = ['notosansjp', 'ipag', 'fonts-japanese-gothic', 'takaogothic', 'vl-gothic', 'msgothic', 'yugoth']
const KOREAN = ['notosanskr', 'nanumgothic', 'malgun', 'applesdgothic', 'undotum']
const CHINESE = ['notosanssc', 'notosanstc', 'notosanshk', 'uming', 'ukai', 'msyh', 'simsun', 'mingliu', 'pingfang']
const chinese: CharacterSet = { name: 'Chinese', files: [...CJK, ...CHINESE] }
/** By their numbers in PDFium. */
const CHARACTER_SETS: Readonly<Record<number, CharacterSet>> = {
  128: { name: 'Japanese', files: [...CJK, ...JAPANESE] },
  129: { name: 'Korean', files: [...CJK, ...KOREAN] },
  134: chinese,
  136: chinese,
}
const FONT_FILE = /\.(?:ttf|ttc|otf|otc)$/i
const MAX_FONT_BYTES = 40_000_000
const MAX_FILES = 20_000

/** Where systems keep their fonts. */
export const FONT_FOLDERS = [
  '/usr/share/fonts',
  '/usr/local/share/fonts',
  join(homedir(), '.fonts'),
  join(homedir(), '.local/share/fonts'),
  '/System/Library/Fonts',
  '/Library/Fonts',
  'C:\\Windows\\Fonts',
]

/**
 * Lets PDFium draw Chinese, Japanese and Korean with fonts of the system where a PDF does not contain its own; it has fonts for Latin. It
 * calls the functions in the middle of drawing, so they cannot wait.
 *
 * @returns  Names of the writing systems that a PDF has needed a font for, and there was none; filled while pages are drawn.
 * @see      https://pdfium.googlesource.com/pdfium/+/refs/heads/main/public/fpdf_sysfontinfo.h
 */
export function useSystemFonts(library: WrappedPdfiumModule, folders: readonly string[]): ReadonlySet<string> {
  const { addFunction, setValue, wasmExports } = library.pdfium
  const missing = new Set<string>()
  /** A font is known to PDFium by its place here, from 1 on. */
  const fonts: { charset: number; bytes: Uint8Array }[] = []
  const mapFont = (_info: number, _weight: number, _isItalic: number, charset: number): number => {
    const characterSet = CHARACTER_SETS[charset]
    if (!characterSet) return 0
    const at = fonts.findIndex((font) => font.charset === charset)
    if (at >= 0) return at + 1
    const bytes = readFont(characterSet.files, folders)
    if (!bytes) missing.add(characterSet.name)
    return bytes ? fonts.push({ charset, bytes }) : 0
  }
  const getFontData = (_info: number, font: number, table: number, buffer: number, size: number): number => {
    const { bytes } = fonts[font - 1] ?? {}
    // Only the whole file is read, as such or as a collection.
    if (!bytes || (table !== 0 && !(table === TTCF && isCollection(bytes)))) return 0
    // The memory may have grown.
    if (buffer && size >= bytes.length) memoryOf(library).set(bytes, buffer)
    return bytes.length
  }
  const members: [run: (...args: number[]) => unknown, signature: string][] = [
    [() => undefined, 'vi'],
    [() => undefined, 'vii'],
    [mapFont, 'iiiiiiii'],
    [() => 0, 'iii'],
    [getFontData, 'iiiiii'],
    [() => 0, 'iiiii'],
    [(_info: number, font: number) => fonts[font - 1]?.charset ?? 0, 'iii'],
    [() => undefined, 'vii'],
  ]
  const info = wasmExports.malloc(4 * (members.length + 1))
  setValue(info, 1, 'i32')
  for (const [at, [run, signature]] of members.entries())
    setValue(info + 4 * (at + 1), addFunction(run, signature), 'i32')
  library.FPDF_SetSystemFontInfo(info)
  return missing
}

/** `ttcf` */
const TTCF = 0x74746366

const isCollection = (bytes: Uint8Array): boolean => Buffer.from(bytes.subarray(0, 4)).readUInt32BE() === TTCF

/** The types of the package leave out the memory of its module. */
const memoryOf = ({ pdfium }: WrappedPdfiumModule): Uint8Array => (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8

/** The first file with one of the names; regular fonts before others. */
function readFont(names: readonly string[], folders: readonly string[]): Uint8Array | undefined {
  const files = folders
    .flatMap(fontFiles)
    .filter(({ name }) => names.some((start) => name.toLowerCase().startsWith(start)))
  const isRegular = ({ name }: { name: string }) => /regular/i.test(name) || !/-/.test(name)
  const sorted = [...files.filter(isRegular), ...files.filter((file) => !isRegular(file))]
  for (const { path } of sorted)
    try {
      if (statSync(path).size <= MAX_FONT_BYTES) return readFileSync(path)
    } catch {
      // Another one may be readable.
    }
  return undefined
}

function fontFiles(folder: string): { name: string; path: string }[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .slice(0, MAX_FILES)
      .filter(({ name }) => FONT_FILE.test(name))
      .map(({ name, parentPath }) => ({ name, path: join(parentPath, name) }))
  } catch {
    return []
  }
}
