import { baseImage, type PlanInput } from './build-plan.ts'
import { neededModules, parseComposerJson } from './composer-json.ts'
import { BuildError, phpIndexes } from './image-builder.ts'
import { phpVersion } from './language-version.ts'
import { phpFrameworkOf, type PhpFramework } from './php-frameworks.ts'
import { pathIn } from './project-root.ts'

/** Where plain sites have their index. */
const usualRoots = phpIndexes.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/'))))

export type PhpProject = ReturnType<typeof findSite>

/** What there is to build and serve. Pure. */
export function findSite(input: PlanInput) {
  const json = input.text.get('composer.json')
  const composer = json === undefined ? undefined : parseComposerJson(json)
  const framework = phpFrameworkOf(input.files, composer?.require)
  const choice = phpVersion(input, input.today)
  const modules = composer === undefined ? [] : neededModules(composer, input.text.get('composer.lock'))
  const root = input.outputDirectory ?? documentRoot(input, framework)
  const base = baseImage(input.images, 'php', choice?.runtime.version)
  const served = root === framework?.root ? (framework.served ?? {}) : {}
  return { composer, framework, choice, modules, root, base, served }
}

function documentRoot({ files, text, buildCmd }: PlanInput, framework: PhpFramework | undefined): string {
  const index = usualRoots.find((root) => files.has(pathIn(root, 'index.php')))
  if (index !== undefined) return index
  if (framework !== undefined) return framework.root
  if (text.has('composer.json') || buildCmd !== undefined)
    return usualRoots.find((root) => root !== '' && [...files].some((path) => path.startsWith(`${root}/`))) ?? ''
  return ''
}

/** The build may make the document root. Throws BuildError. */
export function requireSite({ files, outputDirectory, text, buildCmd }: PlanInput): void {
  if (text.has('composer.json') || buildCmd !== undefined) return
  if (outputDirectory === undefined) {
    if (phpIndexes.some((path) => files.has(path)) || [...files].some((path) => /^[^/]+\.php$/.test(path))) return
    throw new BuildError({ code: 'NO_PHP_FILE' })
  }
  if (![...files].some((path) => path.startsWith(`${outputDirectory}/`)))
    throw new BuildError({ code: 'NO_DOCUMENT_ROOT', values: { path: outputDirectory } })
}

/** Folders without another kept folder above them. */
export const topmost = (folders: readonly string[]): string[] =>
  folders.filter((folder) => !folders.some((other) => folder.startsWith(`${other}/`)))
