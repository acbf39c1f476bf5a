/** Left by the archivers of macOS and Windows. */
const byTheWay = new Set(['.DS_Store', 'Thumbs.db', 'desktop.ini'])

/**
 * The only entry of an archive, which may be a folder that holds the site: most programs pack a folder with its name. Undefined if
 * there are several.
 */
export function siteRoot(names: readonly string[]): string | undefined {
  const own = names.filter((name) => !byTheWay.has(name))
  return own.length === 1 ? own[0] : undefined
}
