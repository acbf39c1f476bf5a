import { AppError } from '../../errors.ts'
import { posix } from 'node:path'

/** Where a site lies in what an archive has been unpacked to; all paths are relative to that. */
export interface SiteLayout {
  /** '' is the whole archive. */
  documentRoot: string
  /** Texts of SQL that may be the site's dump. */
  dumps: string[]
  /** Of the site as it was: beside its files, or one above, as WordPress looks for it. */
  config: string | undefined
}

/** What our exports call the dump, at their top. */
export const dumpName = 'database.sql'

const version = 'wp-includes/version.php'
// Backups of control panels put a site as deep as `backup/homedir/public_html/`.
const maxDepth = 4
// Each is looked into. Plugins bring a few of their own.
const maxDumps = 100

/** Finds the one WordPress among the paths of files. Throws ARCHIVE_INVALID, which says what was looked for. */
export function findSite(files: readonly string[]): SiteLayout {
  const roots = rootsOf(files, (path) => (path === version || path.endsWith(`/${version}`) ? version : undefined))
  // A site whose core is left out; the container brings its own.
  const contents = roots.length > 0 ? roots : rootsOf(files, contentBelow)
  const [documentRoot, ...others] = contents
  if (documentRoot === undefined) throw new AppError('ARCHIVE_INVALID', { code: 'NO_SITE_IN_ARCHIVE' })
  if (others.length > 0)
    throw new AppError('ARCHIVE_INVALID', {
      code: 'SEVERAL_SITES',
      values: { paths: contents.slice(0, 5).join(', ') }
    })
  const exported = posix.join(documentRoot, dumpName)
  // Other backups may lie in a site that was exported here.
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

/** Directories that have what `tail` finds at the end of a path; of two that lie in each other, the outer one. */
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

/** What our own containers keep in a site's directory for themselves. */
export const isMarker = (path: string): boolean => path.startsWith('.panel-')

/** Whether it is not taken from an archive, be it a file or, as it should not be, a directory: what is made anew. */
export const isMadeAnew = (path: string): boolean => path === 'wp-config.php' || isMarker(path)

/** Whether a file of the site, relative to its root, is left out: also a dump, which visitors might fetch. */
export const isLeftOut = (path: string): boolean =>
  isMadeAnew(path) || (isSql(path) && !/^wp-content\/(plugins|themes|mu-plugins)\//.test(path))
