import { BuildError } from './image-builder.ts'
import type { PlanInput } from './build-plan.ts'
import { parsePackageJson } from './package-json.ts'
import type { SourceTree } from './source-tree.ts'

/** Where a project lies in its repository. */
export interface ProjectRoot {
  /** Directory that the build gets; '' for the whole repository. No slash at either end. */
  context: string
  /** The project's directory within the context; '' if it is the context. */
  app: string
}

const wholeRepository: ProjectRoot = { context: '', app: '' }

export const usualDockerfile = 'Dockerfile'

const lockFiles = ['package-lock.json', 'npm-shrinkwrap.json', 'pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb']

/**
 * The directory that the owner chose. If it belongs to a workspace of npm, pnpm, yarn or Bun, whose lock file lies above it,
 * the build gets the whole workspace. Throws BuildError if the directory does not exist.
 */
export async function findProjectRoot(
  tree: SourceTree,
  rootDirectory: string | undefined,
  { mayBeInWorkspace = true } = {}
): Promise<ProjectRoot> {
  if (rootDirectory === undefined) return wholeRepository
  requireDirectory(tree, rootDirectory)
  const above = parentsOf(rootDirectory)
  const has = (directory: string, names: readonly string[]) =>
    names.some((name) => tree.files.has(pathIn(directory, name)))
  if (!mayBeInWorkspace || has(rootDirectory, lockFiles) || !has(rootDirectory, ['package.json']))
    return { context: rootDirectory, app: '' }
  for (const directory of ['', ...above].toReversed()) {
    const isWorkspace = has(directory, ['pnpm-workspace.yaml']) || (await declaresWorkspaces(tree, directory))
    if (isWorkspace)
      return { context: directory, app: rootDirectory.slice(directory === '' ? 0 : directory.length + 1) }
  }
  return { context: rootDirectory, app: '' }
}

interface DockerPaths {
  rootDirectory?: string | undefined
  /** Below the root directory. */
  dockerfilePath?: string | undefined
  /** '.' for the whole repository. */
  dockerContext?: string | undefined
}

/**
 * What a Dockerfile is built in: its context, and its path in there. Throws BuildError if the context does not exist or does
 * not contain the Dockerfile.
 */
export function findDockerContext(
  tree: SourceTree,
  { rootDirectory = '', dockerfilePath = usualDockerfile, dockerContext }: DockerPaths
): ProjectRoot & { dockerfilePath: string } {
  const context = dockerContext === '.' ? '' : (dockerContext ?? rootDirectory)
  for (const directory of [rootDirectory, context]) if (directory !== '') requireDirectory(tree, directory)
  const path = pathIn(rootDirectory, dockerfilePath)
  if (context !== '' && !path.startsWith(`${context}/`))
    throw new BuildError({ code: 'DOCKERFILE_OUTSIDE_CONTEXT', values: { path, context } })
  return { context, app: '', dockerfilePath: context === '' ? path : path.slice(context.length + 1) }
}

function requireDirectory(tree: SourceTree, directory: string): void {
  const link = [...parentsOf(directory), directory].find((path) => tree.symlinks.has(path))
  if (link !== undefined) throw new BuildError({ code: 'ROOT_IS_LINK', values: { path: link } })
  if (!hasDirectory(tree, directory)) throw new BuildError({ code: 'ROOT_NOT_FOUND', values: { path: directory } })
}

async function declaresWorkspaces(tree: SourceTree, directory: string): Promise<boolean> {
  const path = pathIn(directory, 'package.json')
  const text = tree.files.has(path) ? await tree.read(path) : undefined
  return text !== undefined && parsePackageJson(text, path).workspaces !== undefined
}

/** `apps`, `apps/web` of `apps/web/admin`. */
const parentsOf = (path: string): string[] =>
  path
    .split('/')
    .slice(0, -1)
    .map((_, at, names) => names.slice(0, at + 1).join('/'))

const hasDirectory = (tree: SourceTree, directory: string): boolean => {
  for (const path of tree.files) if (path.startsWith(`${directory}/`)) return true
  return false
}

export const pathIn = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('/')

/** The tree below a directory, as if that were the repository. */
export function treeIn(tree: SourceTree, directory: string): SourceTree {
  if (directory === '') return tree
  const below = (paths: Iterable<string>) =>
    [...paths].filter((path) => path.startsWith(`${directory}/`)).map((path) => path.slice(directory.length + 1))
  return {
    files: new Set(below(tree.files)),
    symlinks: new Set(below(tree.symlinks)),
    submodules: below(tree.submodules),
    read: (path) => tree.read(`${directory}/${path}`)
  }
}

type View = Pick<PlanInput, 'files' | 'text' | 'app'>

/** What lies in the project's own directory, by its paths from there. */
export function ownView<Input extends View>(input: Input): Input {
  const { app } = input
  if (app === '') return input
  const start = app.length + 1
  const files = [...input.files].filter((path) => path.startsWith(`${app}/`)).map((path) => path.slice(start))
  const text = [...input.text]
    .filter(([path]) => path.startsWith(`${app}/`))
    .map(([path, content]) => [path.slice(start), content] as const)
  return { ...input, app: '', files: new Set(files), text: new Map(text) }
}
