/** Whether a link at `path` stays in its tree. `..` only at the start of a relative target: after a name it could follow another link. */
export function staysInside(path: string, target: string): boolean {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.')
  const ups = parts.findIndex((part) => part !== '..')
  const leading = ups === -1 ? parts.length : ups
  return !target.startsWith('/') && !parts.slice(leading).includes('..') && leading <= path.split('/').length - 1
}
