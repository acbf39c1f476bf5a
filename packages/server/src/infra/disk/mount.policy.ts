/** A mounted file system, of /proc/self/mountinfo. */
export interface Mount {
  point: string
  options: readonly string[]
  type: string
  /** Device, or what else it is of. */
  source: string
  superOptions: readonly string[]
}

/** The mount that a path lies on: the deepest, and of those at one place the last. */
export function mountOf(mountinfo: string, path: string): Mount | undefined {
  const covering = mountinfo
    .split('\n')
    .map(parseLine)
    .filter((mount) => mount !== undefined)
    .filter(({ point }) => point === '/' || path === point || path.startsWith(`${point}/`))
  const deepest = Math.max(...covering.map(({ point }) => point.length))
  return covering.findLast(({ point }) => point.length === deepest)
}

/** Options that a mount of strangers' files lacks. */
export const missingOptions = ({ options }: Mount): string[] =>
  ['nosuid', 'nodev'].filter((option) => !options.includes(option))

// proc(5): id, parent, device, root, mount point, options, optional fields, a hyphen, type, source, options of the file system.
function parseLine(line: string): Mount | undefined {
  const [before, after] = line.split(' - ')
  const [, , , , point, options] = before!.split(' ')
  const [type, source, superOptions] = (after ?? '').split(' ')
  if (point === undefined || options === undefined || type === undefined) return undefined
  return {
    point: unescape(point),
    options: options.split(','),
    type,
    source: unescape(source ?? ''),
    superOptions: (superOptions ?? '').split(',')
  }
}

/** Blanks and the like are written in octal. */
const unescape = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
