import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { root } from './read-docs.js'

/** A module by a name that errors are reported under. */
export interface VirtualModule {
  name: string
  code: string
}

const FOLDER = join(root, 'test/docs')

/**
 * Compiles modules against the types of the packages as they are in `src`.
 *
 * @returns  Errors as `name: message`, nothing when all is well.
 */
export function compileModules(modules: readonly VirtualModule[]): string[] {
  const files = new Map(modules.map(({ code }, index) => [join(FOLDER, `docs-block-${index}.tsx`), code]))
  const names = new Map([...files.keys()].map((path, index) => [path, modules[index]!.name]))
  const stylesheet = join(FOLDER, 'docs-stylesheet.d.ts')
  files.set(stylesheet, 'export {}')

  const options: ts.CompilerOptions = {
    ...compilerOptions(),
    noUnusedLocals: false,
    moduleDetection: ts.ModuleDetectionKind.Force,
    paths: { ...packagePaths(), 'page-preview/styles.css': [stylesheet] },
  }
  const host = ts.createCompilerHost(options)
  const onDisk = ts.createCompilerHost(options)
  host.fileExists = (path) => files.has(path) || onDisk.fileExists(path)
  host.readFile = (path) => files.get(path) ?? onDisk.readFile(path)
  host.getSourceFile = (path, target, ...rest) => {
    const code = files.get(path)
    return code === undefined ? onDisk.getSourceFile(path, target, ...rest) : ts.createSourceFile(path, code, target)
  }
  const declarations = declaredModules(files)
  host.resolveTypeReferenceDirectiveReferences = (references, containingFile) =>
    references.map((reference) => {
      const name = typeof reference === 'string' ? reference : reference.fileName
      const path = declarations.get(name)
      return path
        ? { resolvedTypeReferenceDirective: { primary: true, resolvedFileName: path } }
        : ts.resolveTypeReferenceDirective(name, containingFile, options, host)
    })
  const program = ts.createProgram([...files.keys()], options, host)
  return [...names].flatMap(([path, name]) => {
    const source = program.getSourceFile(path)!
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
  })
}

/** Entries that are no modules but declare some, by their names; read as declarations, because other sources are modules here. */
function declaredModules(files: Map<string, string>): Map<string, string> {
  const entry = 'page-preview-server/vite/client'
  const [source] = serverPaths()[entry]!
  const path = source!.replace(/\.ts$/, '.d.ts')
  files.set(path, readFileSync(source!, 'utf8'))
  return new Map([[entry, path]])
}

export function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => readFileSync(path, 'utf8')) as {
    config: { compilerOptions: object }
  }
  return ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options
}

/** Where the source of every entry is that the two packages export. */
export function packagePaths(): Record<string, string[]> {
  return { ...entryPaths('package.json', 'src'), ...serverPaths() }
}

const serverPaths = () => entryPaths('src/server/package.json', '..', './dist/types/')

/** @param types  Folder of the declarations, which are there by the names of their sources. */
function entryPaths(manifest: string, source: string, types = './dist/'): Record<string, string[]> {
  const { name, exports } = JSON.parse(readFileSync(join(root, manifest), 'utf8')) as {
    name: string
    exports: Record<string, string | { types: string }>
  }
  return Object.fromEntries(
    Object.entries(exports).flatMap(([entry, target]) => {
      if (typeof target === 'string') return []
      const path = join(root, dirname(manifest), source, target.types.slice(types.length).replace(/\.d\.ts$/, '.ts'))
      return existsSync(path) ? [[entry.replace('.', name), [path]]] : []
    }),
  )
}
