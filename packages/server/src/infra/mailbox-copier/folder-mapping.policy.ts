import { createHash } from 'node:crypto'

export interface SourceFolder {
  path: string
  /** Null if the source has no hierarchy. */
  delimiter: string | null
  /** RFC 6154 attribute, from the source or derived from the name. */
  specialUse: string | undefined
  /** Contains no messages, only other folders. */
  isContainer: boolean
}

interface MappedFolder {
  path: string
  /** Target path, or why it is skipped. */
  target: string | { leftOut: 'view' | 'unreadable' }
}

/** Hierarchy separator of the target (dovecot-config.render.ts). */
const separator = '.'
const ownNames: Readonly<Record<string, string>> = {
  '\\Sent': 'Sent',
  '\\Drafts': 'Drafts',
  '\\Junk': 'Junk',
  '\\Trash': 'Trash',
  '\\Archive': 'Archive'
}
const views = new Set(['\\All', '\\Flagged', '\\Important'])

/** Part of a database key. */
const maxSourcePathBytes = 1_000
/** A folder path is one directory name, at most 255 bytes. */
const maxPathBytes = 200
const maxLevels = 10

/**
 * Maps source folders to target paths. `prefix`: namespace prefix of the source, such as `INBOX.`. Special-use folders
 * map to ours, with their subfolders; the first one wins if two have the same use. INBOX comes first.
 */
export function mapFolders(folders: readonly SourceFolder[], prefix = ''): MappedFolder[] {
  const special = specialPaths(folders)
  return folders
    .filter(({ isContainer }) => !isContainer)
    .map((folder) => ({
      path: folder.path,
      target: isUnreadable(folder)
        ? ({ leftOut: 'unreadable' } as const)
        : views.has(folder.specialUse ?? '')
          ? ({ leftOut: 'view' } as const)
          : targetOf(folder, special, prefix)
    }))
    .sort((a, b) => Number(isInbox(b.path)) - Number(isInbox(a.path)))
}

const isUnreadable = ({ path }: SourceFolder): boolean =>
  !path.isWellFormed() || path.includes('\0') || Buffer.byteLength(path) > maxSourcePathBytes

/** Target name by source path. */
function specialPaths(folders: readonly SourceFolder[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { path, specialUse } of folders) {
    const name = ownNames[specialUse ?? '']
    if (name !== undefined && ![...found.values()].includes(name)) found.set(path, name)
  }
  return found
}

function targetOf({ path, delimiter }: SourceFolder, special: ReadonlyMap<string, string>, prefix: string): string {
  if (isInbox(path)) return 'INBOX'
  const levels = delimiter ? path.split(delimiter) : [path]
  for (let depth = levels.length; depth > 0; depth--) {
    const own = special.get(levels.slice(0, depth).join(delimiter ?? ''))
    if (own !== undefined) return bounded([own, ...levels.slice(depth).map(plainLevel)], path)
  }
  const bare = delimiter && prefix.endsWith(delimiter) && path.startsWith(prefix) ? path.slice(prefix.length) : path
  return bounded((delimiter ? bare.split(delimiter) : [bare]).map(plainLevel), path)
}

const isInbox = (path: string): boolean => path.toUpperCase() === 'INBOX'

/** Removes separators and characters that are special in paths, patterns or terminals. */
const plainLevel = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}./\\*%]/gu, '_')
    .trim()
    .replace(/^~/, '_') || '_'

/** Shortens paths that are too long or too deep; deterministic. */
function bounded(levels: readonly string[], path: string): string {
  // A folder named "inbox" must not become the INBOX itself.
  const target = levels.join(separator)
  const isFit = levels.length <= maxLevels && encodedBytes(target) <= maxPathBytes
  if (isFit) return isInbox(target) ? `${target}_` : target
  const short = [...levels[0]!].slice(0, 10).join('')
  return [short, createHash('sha256').update(path).digest('hex').slice(0, 16)].join(separator)
}

/** Upper bound for modified UTF-7 (RFC 3501 §5.1.3). */
const encodedBytes = (text: string): number =>
  [...text].reduce((sum, character) => sum + (/[\x20-\x7e]/.test(character) ? 2 : 8), 0)
