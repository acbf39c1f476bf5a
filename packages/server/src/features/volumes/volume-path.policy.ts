import type { ProjectType } from '@panel/contract/projects'

/** The engine or the image needs these, and everything below them. */
const reservedTrees = ['/proc', '/sys', '/dev', '/etc', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/boot', '/run', '/tmp', '/usr/bin', '/usr/sbin', '/usr/lib', '/usr/local/bin', '/usr/local/lib', '/var/run'] // oxfmt-ignore

/** A volume here would hide them; below them it is fine. */
const reservedFolders = ['/usr', '/usr/local', '/var', '/home']

/** Where images keep the application: Node.js and Python of this panel, static sites, and common Dockerfiles. */
const codeFolders = ['/app', '/srv', '/usr/src/app', '/var/www', '/var/www/html', '/usr/share/nginx/html']

/** Where the directory of the project itself is mounted. */
const filesFolder = (type: ProjectType): string => (type === 'WORDPRESS' ? '/var/www/html' : '/data')

interface Wanted {
  path: string
  overCode: boolean
}

interface Present {
  type: ProjectType
  volumes: readonly { name: string; path: string }[]
}

interface PathProblem {
  code: 'VALIDATION_ERROR' | 'CONFLICT'
  message: string
}

/** Why a volume must not be mounted at a path of the container; undefined if it may. */
export function volumePathProblem({ path, overCode }: Wanted, { type, volumes }: Present): PathProblem | undefined {
  const invalid = (message: string): PathProblem => ({ code: 'VALIDATION_ERROR', message })
  if (!isNormal(path))
    return invalid('The path of a volume must be absolute, without empty names, . and .., and must not be /.')
  const reserved =
    reservedTrees.find((folder) => isWithin(path, folder) || isWithin(folder, path)) ??
    reservedFolders.find((folder) => folder === path)
  if (reserved !== undefined)
    return invalid(
      `A volume cannot be mounted at ${path}, because the container needs ${reserved}. Choose another path.`
    )
  const files = filesFolder(type)
  if (overlap(path, files))
    return {
      code: 'CONFLICT',
      message: `${files} is the folder of the project, which is kept already. Choose a path outside of it.`
    }
  const other = volumes.find((volume) => overlap(volume.path, path))
  if (other)
    return {
      code: 'CONFLICT',
      message: `${path} and ${other.path} of the volume ${other.name} are inside of each other. Choose another path.`
    }
  const code = codeFolders.find((folder) => isWithin(folder, path))
  if (code === undefined || overCode) return undefined
  return {
    code: 'CONFLICT',
    message:
      `A volume at ${path} hides the application: it keeps the files of the first release, and later releases do not change them. ` +
      'Choose a folder below it, or confirm with `overCode`.'
  }
}

const isNormal = (path: string): boolean =>
  path.startsWith('/') &&
  path
    .slice(1)
    .split('/')
    .every((name) => !['', '.', '..'].includes(name) && !name.includes('\0'))

const isWithin = (path: string, folder: string): boolean => `${path}/`.startsWith(`${folder}/`)
const overlap = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one)
