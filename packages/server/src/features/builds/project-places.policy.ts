import type { ProjectPlace } from '@panel/contract/git'
import { suggestedType } from './project-type.policy.ts'

const maxPlaces = 50
const maxDepth = 4
const notProjects = /(^|\/)(\.[^/]*|node_modules|vendor|tests?|__tests__|fixtures|examples?|docs)(\/|$)/
const libraries = /(^|\/)(packages|libs?|shared|tools)(\/|$)/
const workspaceFiles = ['turbo.json', 'nx.json', 'pnpm-workspace.yaml', 'lerna.json']
const manifests = /\/(package\.json|requirements\.txt|pyproject\.toml|Pipfile|manage\.py|index\.html)$/
const dockerfile = /\/Dockerfile$/

const folderOf = (path: string) => path.slice(0, path.lastIndexOf('/'))

/**
 * Folders below the root that could be projects of their own: the apps of a monorepo, and folders with a Dockerfile. A
 * folder with nothing but a Dockerfile is built in the context of the whole repository.
 */
export function projectPlaces(files: ReadonlySet<string>): ProjectPlace[] {
  const isMonorepo = workspaceFiles.some((name) => files.has(name))
  const isCandidate = (folder: string) => folder.split('/').length <= maxDepth && !notProjects.test(folder)
  const foldersWith = (pattern: RegExp) => new Set([...files].filter((path) => pattern.test(path)).map(folderOf))
  const withDockerfile = foldersWith(dockerfile)
  const withManifest = foldersWith(manifests)
  const found = new Set(
    [...new Set([...withDockerfile, ...withManifest])]
      .filter(isCandidate)
      .filter((folder) => withDockerfile.has(folder) || !(isMonorepo && libraries.test(folder)))
  )
  const folders = [...found]
    .filter((folder) => withDockerfile.has(folder) || !foldersAbove(folder).some((one) => found.has(one)))
    .toSorted()
    .slice(0, maxPlaces)
  const filesOf = filesByFolder(files, folders)
  return folders.map((folder) =>
    withManifest.has(folder)
      ? { type: suggestedType(filesOf.get(folder)!), rootDirectory: folder, dockerfilePath: null }
      : { type: 'DOCKERFILE', rootDirectory: null, dockerfilePath: `${folder}/Dockerfile` }
  )
}

/** `apps`, `apps/web` of `apps/web/package.json`; at most `maxDepth`. */
const foldersAbove = (path: string): string[] => {
  const names = path.split('/', maxDepth + 1)
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'))
}

/** Reads each path once, because a repository can have very many. */
function filesByFolder(files: ReadonlySet<string>, folders: readonly string[]): ReadonlyMap<string, Set<string>> {
  const below = new Map(folders.map((folder) => [folder, new Set<string>()]))
  for (const path of files)
    for (const folder of foldersAbove(path)) below.get(folder)?.add(path.slice(folder.length + 1))
  return below
}

/** The files below a folder, by their paths from there. */
export const filesIn = (files: ReadonlySet<string>, folder: string): ReadonlySet<string> =>
  folder === ''
    ? files
    : new Set([...files].filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1)))

const ownFiles =
  /^(Dockerfile|package\.json|requirements\.txt|pyproject\.toml|Pipfile|setup\.py|manage\.py|[^/]+\.(py|html?))$/

/** The only place of a repository whose root is not a project. */
export function onlyPlace(files: ReadonlySet<string>, places: readonly ProjectPlace[]): ProjectPlace | undefined {
  return places.length === 1 && ![...files].some((path) => ownFiles.test(path)) ? places[0] : undefined
}
