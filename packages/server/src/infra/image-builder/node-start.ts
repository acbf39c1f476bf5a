import { posix } from 'node:path'
import { BuildError } from './image-builder.ts'
import { scriptOf, type PackageJson } from './package-json.ts'

interface NodeStart {
  argv: readonly string[]
  /** For the log. */
  title: string
  /** The command as text, to see what it needs; undefined where another program looks it up. */
  text: string | undefined
}

const entryFiles = [
  'server.js',
  'index.js',
  'app.js',
  'server.mjs',
  'index.mjs',
  'app.mjs',
  'src/server.js',
  'src/index.js'
]

/** A Dockerfile's line has an end: longer scripts are run by name. */
const maxScriptLength = 8000

/** The project's start command, else the "start" script, "main", or a file whose name says it. */
export function nodeStart(
  manifest: PackageJson | undefined,
  files: ReadonlySet<string>,
  startCmd: string | undefined,
  hasBuild: boolean
): NodeStart {
  if (startCmd !== undefined) return shell(startCmd, 'the start command')
  const script = scriptOf(manifest, 'start')
  // npm runs the scripts around "start" and sets npm_… variables; otherwise the script runs without npm between it and SIGTERM.
  const needsNpm = /\bnpm_/.test(script ?? '') || ['prestart', 'poststart'].some((name) => scriptOf(manifest, name))
  if (script !== undefined && (needsNpm || script.length > maxScriptLength)) {
    return { argv: ['npm', 'start'], title: 'npm start', text: undefined }
  }
  if (script !== undefined) return shell(script, 'the "start" script')
  const main = mainFile(manifest?.main, files, hasBuild) ?? entryFiles.find((file) => files.has(file))
  if (main !== undefined) return { argv: ['node', `./${main}`], title: `node ${JSON.stringify(main)}`, text: 'node' }
  throw new BuildError(
    manifest === undefined
      ? 'There is no package.json, no server.js, index.js or app.js, and no start command is set: add one of them.'
      : 'package.json has no "start" script and no start command is set: add one of them, or a "main" file, or a server.js, index.js or app.js.'
  )
}

/**
 * Whether a command may need what is installed for development only (`vite preview`, `ts-node …`). A command that goes
 * through a package manager hides what it runs, so it counts as needing.
 */
export function needsDevDependencies(start: NodeStart, manifest: PackageJson | undefined): boolean {
  const development = [...(manifest?.devDependencies.keys() ?? [])]
  if (development.length === 0) return false
  if (start.text === undefined || start.text.length > maxScriptLength) return true
  const words = start.text.split(/[^\w@/.-]+/).flatMap((word) => [word, word.split('/').at(-1)!])
  if (words.some((word) => packageManagers.has(word))) return true
  const tools = new Set(words.filter((word) => word.length > 1 && word !== 'node'))
  const beginnings = new Set([...tools].flatMap(prefixes))
  return development
    .filter((name) => !name.startsWith('@types/'))
    .some((name) => {
      // Programs are mostly named like their package, or like the beginning of its scope: `nest` of @nestjs/cli.
      const parts = name.replace('@', '').split('/')
      return beginnings.has(name) || parts.some((part) => prefixes(part).some((prefix) => tools.has(prefix)))
    })
}

/** Every beginning of a word; npm's names have at most 214 characters. */
const prefixes = (word: string): string[] =>
  Array.from({ length: Math.min(word.length, 214) }, (_, index) => word.slice(0, index + 1))

const packageManagers = new Set(['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'yarnpkg'])

const shell = (text: string, title: string): NodeStart => ({ argv: ['/bin/sh', '-c', text], title, text })

function mainFile(main: string | undefined, files: ReadonlySet<string>, hasBuild: boolean): string | undefined {
  if (main === undefined || main.trim() === '') return undefined
  const path = posix.normalize(main.trim()).replace(/^\.?\/+/, '')
  if (path.startsWith('..') || path.includes('\0')) return undefined
  const found = [path, `${path}.js`, posix.join(path, 'index.js')].find((candidate) => files.has(candidate))
  return found ?? (hasBuild && /\.[cm]?js$/.test(path) ? path : undefined)
}
