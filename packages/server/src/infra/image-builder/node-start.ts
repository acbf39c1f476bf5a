import type { FailureCode } from '@panel/contract/failure-texts'
import { posix } from 'node:path'
import type { CommandSource } from '@panel/contract/detection'
import type { PlanInput } from './build-plan.ts'
import { shellProgram } from './dockerfile.render.ts'
import type { DetectedNode } from './node-project.ts'
import { scriptOf, type PackageJson } from './package-json.ts'
import { webProcess } from './procfile.ts'
import { maxScriptLength, programOf } from './run-command.ts'

export interface NodeStart {
  argv: readonly string[]
  source: CommandSource
  isFrameworkUsed: boolean
  title: string
  /** The command as text, to see which programs it uses; undefined if a package manager resolves it. */
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

/** In order of precedence. Undefined: nothing to start, or the framework builds a static site. */
export function nodeStart(
  input: Pick<PlanInput, 'files' | 'text' | 'startCmd'>,
  node: DetectedNode,
  hasBuild: boolean
): NodeStart | undefined {
  const { manifest, framework } = node
  if (input.startCmd !== undefined) return shell(node, input.startCmd, 'SETTING', 'the start command')
  const web = webProcess(input.text.get('Procfile'))
  if (web !== undefined && web.length <= maxScriptLength)
    return shell(node, web, 'PROCFILE', 'web process of the Procfile')
  const script = scriptStart(node)
  if (script) return script
  if (framework?.server) return shell(node, framework.server.command, 'FRAMEWORK', framework.server.command)
  if (framework?.site && !node.hasServerLibrary) return undefined
  const main = mainFile(manifest?.main, input.files, hasBuild) ?? entryFiles.find((file) => input.files.has(file))
  if (main === undefined) return undefined
  const title = `node ${JSON.stringify(main)}`
  return { argv: ['node', `./${main}`], source: 'FILE', isFrameworkUsed: false, title, text: 'node' }
}

/** Scripts that start the build output come before "start", which may be for development. */
function scriptStart(node: DetectedNode): NodeStart | undefined {
  const { manifest, framework } = node
  const { startScripts, notStart } = framework ?? {}
  const names = [...(manifest?.scripts.keys() ?? [])].filter((name) => startScripts?.test(name))
  for (const name of [...names, 'start']) {
    const script = scriptOf(manifest, name)
    if (script === undefined || (name === 'start' && notStart?.test(programOf(script, manifest)))) continue
    // npm is only needed for pre/post scripts and npm_… variables. Without it, the app receives SIGTERM directly.
    const needsNpm = /\bnpm_/.test(script) || [`pre${name}`, `post${name}`].some((around) => scriptOf(manifest, around))
    if (!needsNpm && script.length <= maxScriptLength)
      return shell(node, script, 'PACKAGE_JSON', `the ${JSON.stringify(name)} script`)
    const argv = name === 'start' ? ['npm', 'start'] : ['npm', 'run', name]
    const isFrameworkUsed = startsBuilt(node, script)
    return { argv, source: 'PACKAGE_JSON', isFrameworkUsed, title: argv.join(' '), text: undefined }
  }
  return undefined
}

export const noStart = (manifest: PackageJson | undefined): FailureCode =>
  manifest === undefined ? 'NO_NODE_FILE' : 'NO_NODE_START'

/** For example `vite preview`, `ts-node …`. Commands through a package manager count as needing them. */
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
      // Programs are usually named like their package or the start of its scope: `nest` of @nestjs/cli.
      const parts = name.replace('@', '').split('/')
      return beginnings.has(name) || parts.some((part) => prefixes(part).some((prefix) => tools.has(prefix)))
    })
}

const prefixes = (word: string): string[] =>
  Array.from({ length: Math.min(word.length, 214) }, (_, index) => word.slice(0, index + 1))

const packageManagers = new Set(['npm', 'npx', 'pnpm', 'pnpx', 'yarn', 'yarnpkg'])

/** What the image runs. */
export const programOfStart = (start: Pick<NodeStart, 'argv'>): readonly string[] =>
  start.argv[0] === '/bin/sh' ? shellProgram(commandText(start)) : start.argv

export const commandText = ({ argv }: Pick<NodeStart, 'argv'>): string =>
  argv[0] === '/bin/sh' ? argv[2]! : argv.join(' ')

const shell = (node: DetectedNode, text: string, source: CommandSource, title: string): NodeStart => ({
  argv: ['/bin/sh', '-c', text],
  source,
  isFrameworkUsed: startsBuilt(node, text),
  title,
  text
})

function startsBuilt({ manifest, framework }: DetectedNode, command: string): boolean {
  if (!framework?.server) return false
  const program = withoutDotSlash(programOf(command, manifest))
  const { command: usual, file } = framework.server
  return (
    program.startsWith(withoutDotSlash(programOf(usual, manifest))) ||
    (file !== undefined && patternOf(file).test(program))
  )
}

const withoutDotSlash = (command: string): string => command.replace(/(^|\s)\.\//g, '$1')

const patternOf = (file: string): RegExp =>
  new RegExp(`(^|\\s)${file.replace(/[.+]/g, '\\$&').replaceAll('*', '[^\\s/]+')}(\\s|$)`)

function mainFile(main: string | undefined, files: ReadonlySet<string>, hasBuild: boolean): string | undefined {
  if (main === undefined || main.trim() === '') return undefined
  const path = posix.normalize(main.trim()).replace(/^\.?\/+/, '')
  if (path.startsWith('..') || path.includes('\0')) return undefined
  const found = [path, `${path}.js`, posix.join(path, 'index.js')].find((candidate) => files.has(candidate))
  return found ?? (hasBuild && /\.[cm]?js$/.test(path) ? path : undefined)
}
