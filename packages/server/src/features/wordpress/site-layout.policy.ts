import { AppError } from '../../errors.ts'
import { posix } from 'node:path'

export interface SiteLayout {
  documentRoot: string
  dumps: string[]
  config: string | undefined
}

export const dumpName = 'database.sql'
/** Of files that imports and exports of the panel write. */
const markerPrefix = '.panel-'

const version = 'wp-includes/version.php'
// Control panel backups nest a site as deep as `backup/homedir/public_html/`.
const maxDepth = 4
// Each one is scanned. Plugins ship a few of their own.
const maxDumps = 100

export function findSite(files: readonly string[]): SiteLayout {
  const roots = rootsOf(files, (path) => (path === version || path.endsWith(`/${version}`) ? version : undefined))
  const contents = roots.length > 0 ? roots : rootsOf(files, contentBelow)
  const [documentRoot, ...others] = contents
  if (documentRoot === undefined) throw new AppError('ARCHIVE_INVALID', { code: 'NO_SITE_IN_ARCHIVE' })
  if (others.length > 0)
    throw new AppError('ARCHIVE_INVALID', {
      code: 'SEVERAL_SITES',
      values: { paths: contents.slice(0, 5).join(', ') }
    })
  const exported = posix.join(documentRoot, dumpName)
  // A site exported here may contain other backups; ours wins.
  const dumps = files.includes(exported) ? [exported] : files.filter(isSql)
  if (dumps.length === 0) throw new AppError('ARCHIVE_INVALID', { code: 'NO_DUMP' })
  if (dumps.length > maxDumps)
    throw new AppError('ARCHIVE_INVALID', {
      code: 'TOO_MANY_DUMPS',
      values: { max: maxDumps, name: dumpName }
    })
  const configs = [posix.join(documentRoot, 'wp-config.php'), posix.join(documentRoot, '..', 'wp-config.php')]
  return { documentRoot, dumps, config: configs.find((path) => files.includes(path)) }
}

const contentBelow = (path: string): string | undefined => {
  const at = path.startsWith('wp-content/') ? 0 : path.indexOf('/wp-content/') + 1
  return at === 0 && !path.startsWith('wp-content/') ? undefined : path.slice(at)
}

/** Directories that contain what `tail` matches at the end of a path. Of nested ones, the outermost. */
function rootsOf(files: readonly string[], tail: (path: string) => string | undefined): string[] {
  const found = new Set<string>()
  for (const path of files) {
    const end = tail(path)
    if (end === undefined) continue
    const root = path.slice(0, path.length - end.length).replace(/\/$/, '')
    if (root === '' || root.split('/').length <= maxDepth) found.add(root)
  }
  return [...found].filter((root) => !directoriesAbove(root).some((above) => found.has(above)))
}

function directoriesAbove(path: string): string[] {
  if (path === '') return []
  const names = path.split('/')
  return names.map((_name, depth) => names.slice(0, depth).join('/'))
}

const isSql = (path: string): boolean => /\.sql(\.gz)?$/i.test(path)

/** Paths that an export leaves out: it has its own dump. */
export const notExported = { paths: [dumpName], prefixes: [markerPrefix] }

const isMarker = (path: string): boolean => path.startsWith(markerPrefix)

export const isRegenerated = (path: string): boolean => path === 'wp-config.php' || isMarker(path)

export const isExcluded = (path: string): boolean =>
  isRegenerated(path) || (isSql(path) && !/^wp-content\/(plugins|themes|mu-plugins)\//.test(path))
